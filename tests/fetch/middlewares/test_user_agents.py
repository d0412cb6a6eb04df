from __future__ import annotations

from importlib.metadata import version

from scrapy import Request

from tests.fetch.servers import fixed, header, reply, serving
from tests.fetch.site import Crawl, Engines


def test_version_of_the_private_part() -> None:
    """The provider is reached through a private attribute, checked on this release."""
    assert version("scrapy-fake-useragent") == "1.4.4"


def test_browser(crawl: Crawl) -> None:
    """One real browser's agent for a host, the whole run."""

    async def test(engine: Engines) -> None:
        async with serving(fixed(reply(b"x"))) as server:
            mine = engine(PICSPIDER_USER_AGENT="browser")
            for _ in range(4):
                await mine.get(server.url)
            agents = {header(head, "User-Agent") for head in server.heads}
            assert len(agents) == 1
            assert agents.pop().startswith("Mozilla/5.0 (")

    crawl(test)


def test_random(crawl: Crawl) -> None:
    """Another agent for each request."""

    async def test(engine: Engines) -> None:
        async with serving(fixed(reply(b"x"))) as server:
            mine = engine(PICSPIDER_USER_AGENT="random")
            for _ in range(30):
                await mine.get(server.url)
            assert len({header(head, "User-Agent") for head in server.heads}) > 1

    crawl(test)


def test_text(crawl: Crawl) -> None:
    """The user's own text is sent as it is."""

    async def test(engine: Engines) -> None:
        async with serving(fixed(reply(b"x"))) as server:
            await engine(PICSPIDER_USER_AGENT="me/1.0").get(server.url)
            assert header(server.heads[0], "User-Agent") == "me/1.0"

    crawl(test)


def test_fallback(crawl: Crawl) -> None:
    """Where the provider cannot be loaded, the package's fixed provider sends USER_AGENT."""

    async def test(engine: Engines) -> None:
        providers = ["no.such.Provider", "scrapy_fake_useragent.providers.FixedUserAgentProvider"]
        async with serving(fixed(reply(b"x"))) as server:
            mine = engine(PICSPIDER_USER_AGENT="browser", FAKEUSERAGENT_PROVIDERS=providers, USER_AGENT="fixed/1")
            await mine.download_async(Request(server.url))
            assert header(server.heads[0], "User-Agent") == "fixed/1"

    crawl(test)
