from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from picspider.errors import ConfigError
from picspider.visit import Note
from tests.fetch.servers import Writer, fixed, header, reply, routes, serving
from tests.fetch.site import Crawl, Engines


def test_the_pages_session_goes_with_the_pictures(crawl: Crawl) -> None:
    """A cookie that a page sets is sent with the pictures of its host, and is renewed when it changes."""

    async def test(engine: Engines) -> None:
        pages = {
            "/page": [
                reply(b"x", headers={"Set-Cookie": "s=1; Path=/"}),
                reply(b"x", headers={"Set-Cookie": "s=2; Path=/"}),
            ],
            "/p.jpg": reply(b"x"),
        }
        async with serving(routes(pages)) as server, serving(fixed(reply(b"x"))) as other:
            mine = engine()
            await mine.get(f"{server.url}p.jpg")
            await mine.get(f"{server.url}page", Note())
            await mine.get(f"{server.url}p.jpg")
            await mine.get(f"{server.url}p.jpg")
            await mine.get(f"{server.url}page", Note())
            await mine.get(f"{server.url}page", Note())
            await mine.get(f"{server.url}p.jpg")
            assert [header(head, "Cookie") for head in server.heads] == [None, None, "s=1", "s=1", "s=1", "s=2", "s=2"]
            await mine.get(f"http://localhost:{other.port}/")
            assert header(other.heads[0], "Cookie") is None

    crawl(test)


def test_paths_and_ages_are_kept(crawl: Crawl) -> None:
    """A cookie for one path goes there only, and one that expires is gone."""

    async def test(engine: Engines) -> None:
        async def answer(head: bytes, writer: Writer) -> None:
            headers = {"Set-Cookie": "a=1; Path=/in"} if b" /set " in head else {}
            headers = {"Set-Cookie": "b=2; Max-Age=1"} if b" /age " in head else headers
            writer.write(reply(b"x", headers=headers))

        async with serving(answer) as server:
            mine = engine()
            for path in ("set", "in/x", "out", "age", "out"):
                await mine.get(server.url + path)
            await asyncio.sleep(2)
            await mine.get(f"{server.url}out")
            got = [header(head, "Cookie") for head in server.heads]
            assert got == [None, "a=1", None, None, "b=2", None]

    crawl(test)


def test_config_cookies_are_for_the_entry(crawl: Crawl) -> None:
    """A dict of cookies goes to the entry's host and port."""

    async def test(engine: Engines) -> None:
        async with serving(fixed(reply(b"x"))) as server, serving(fixed(reply(b"x"))) as other:
            mine = engine(PICSPIDER_COOKIES={"s": "1", "t": 2}, PICSPIDER_ENTRY_HOSTS=[server.key])
            await mine.get(server.url)
            await mine.get(other.url)
            assert header(server.heads[0], "Cookie") == "s=1; t=2"
            assert header(other.heads[0], "Cookie") is None

    crawl(test)


def test_cookies_txt(crawl: Crawl, tmp_path: Path) -> None:
    """A Netscape cookies.txt is read, with its hosts and paths; session cookies count."""
    path = tmp_path / "cookies.txt"
    path.write_text(
        "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\ts\t1\nexample.org\tFALSE\t/\tFALSE\t0\tx\t1\n"
    )

    async def test(engine: Engines) -> None:
        async with serving(fixed(reply(b"x"))) as server:
            await engine(PICSPIDER_COOKIES=str(path)).get(server.url)
            assert header(server.heads[0], "Cookie") == "s=1"

    crawl(test)


def test_a_bad_cookies_file_is_told(crawl: Crawl, tmp_path: Path) -> None:
    """A file that is no cookies.txt stops the run with a message."""
    path = tmp_path / "cookies.txt"
    path.write_text("nonsense")

    async def test(engine: Engines) -> None:
        with pytest.raises(ConfigError, match=r"fetch\.cookies"):
            engine(PICSPIDER_COOKIES=str(path))

    crawl(test)


def test_cookies_of_a_request(crawl: Crawl) -> None:
    """Scrapy's own ways stay: cookies of a request, a jar of its own, and no merging."""

    async def test(engine: Engines) -> None:
        async with serving(fixed(reply(b"x", headers={"Set-Cookie": "s=1"}))) as server:
            mine = engine()
            await mine.get(server.url, cookies={"q": "1"})
            await mine.get(server.url, meta={"cookiejar": "mine"})
            await mine.get(server.url, meta={"cookiejar": "mine"})
            await mine.get(server.url, meta={"dont_merge_cookies": True})
            got = [header(head, "Cookie") for head in server.heads]
            assert got == ["q=1", None, "s=1", None]

    crawl(test)
