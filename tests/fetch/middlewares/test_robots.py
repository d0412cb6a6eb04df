from __future__ import annotations

import asyncio

import pytest
import scrapy

from picspider.errors import Failed
from tests.fetch.servers import fixed, moved, reply, routes, serving
from tests.fetch.site import Crawl, Engines

RULES = reply(b"User-agent: *\nDisallow: /no\n\nUser-agent: tester\nDisallow: /secret\n")


def test_scrapy_version_of_the_private_parts() -> None:
    """The parts of Scrapy's class that the subclass sets were checked on this release."""
    assert scrapy.__version__.startswith("2.19.")


@pytest.mark.parametrize(("agent", "refused"), [("browser", "no"), ("tester", "secret")])
def test_refusal(crawl: Crawl, agent: str, refused: str) -> None:
    """What robots.txt forbids to the name that we go by is refused; it is fetched once."""

    async def test(engine: Engines) -> None:
        async with serving(routes({"/robots.txt": RULES, "/no": reply(b"x"), "/secret": reply(b"x")})) as server:
            mine = engine(ROBOTSTXT_OBEY=True, PICSPIDER_USER_AGENT=agent, CONCURRENT_REQUESTS_PER_DOMAIN=1)
            results = await asyncio.gather(
                *(mine.get(f"{server.url}{path}") for path in ("no", "secret")), return_exceptions=True
            )
            failed = [r for r in results if isinstance(r, Failed)]
            assert [f.reason for f in failed] == ["robots"]
            with pytest.raises(Failed):
                await mine.get(f"{server.url}{refused}/x")
            assert sum(b"/robots.txt" in head for head in server.heads) == 1

    crawl(test)


@pytest.mark.parametrize(
    "robots",
    [reply(b"<html>Disallow: /", "404 x"), reply(b"", "503 x"), reply(b""), moved("/robots.txt"), b"nonsense\r\n\r\n"],
)
def test_no_robots_txt_forbids_nothing(crawl: Crawl, robots: bytes) -> None:
    """Without a robots.txt that can be read the crawl goes on."""

    async def test(engine: Engines) -> None:
        async with serving(routes({"/robots.txt": robots, "/a": reply(b"x"), "/b": reply(b"x")})) as server:
            mine = engine(ROBOTSTXT_OBEY=True)
            await asyncio.gather(*(mine.get(f"{server.url}{path}") for path in "ab"))
            before = len(server.heads)
            await mine.get(f"{server.url}a")
            assert len(server.heads) == before + 1

    crawl(test)


def test_switched_off(crawl: Crawl) -> None:
    """Not obeyed, it is not even fetched."""

    async def test(engine: Engines) -> None:
        async with serving(fixed(reply(b"x"))) as server:
            await engine().get(server.url)
            assert len(server.heads) == 1

    crawl(test)
