from __future__ import annotations

import asyncio
import time
from email.utils import formatdate

import pytest
from scrapy import Request
from scrapy.http import Response

from picspider.errors import Failed
from picspider.fetch.middlewares import retries
from picspider.fetch.middlewares.retries import attempts_before, next_attempt
from picspider.fetch.middlewares.retry_after import retry_after_seconds
from picspider.visit import note_of
from tests.fetch.servers import Writer, fixed, reply, routes, serving
from tests.fetch.site import Crawl, Engines

OK = reply(b"ok")


@pytest.mark.parametrize("status", ["408 x", "429 x", "500 x", "502 x", "503 x", "504 x", "522 x"])
def test_passing_statuses_are_retried(crawl: Crawl, status: str | int) -> None:
    """What may pass is asked again, as the same visit with one attempt more."""

    async def test(engine: Engines) -> None:
        async with serving(routes({"/": [reply(b"", status), OK]})) as server:
            response = await engine().get(server.url)
            assert response.body == b"ok"
            assert note_of(response.request).attempts == 1
            assert response.request.dont_filter

    crawl(test)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 418, 451, 501, 505, 510, 511])
def test_lasting_statuses_are_not(crawl: Crawl, status: str | int) -> None:
    """Other errors are the spider's at once."""

    async def test(engine: Engines) -> None:
        async with serving(fixed(reply(b"", f"{status} x"))) as server:
            assert (await engine().get(server.url)).status == status
            assert len(server.heads) == 1

    crawl(test)


def test_gives_up_after_the_retries(crawl: Crawl) -> None:
    """After the last try the response, or the failure, goes on with its attempts known."""

    async def test(engine: Engines) -> None:
        async with serving(fixed(reply(b"", "503 x"))) as server:
            mine = engine(RETRY_TIMES=2)
            response = await mine.get(server.url)
            assert response.status == 503
            assert note_of(response.request).attempts == 2
            assert len(server.heads) == 3
            assert mine.crawler.stats.get_value("retry/count") == 2
            assert len((await mine.get(server.url, meta={"dont_retry": True})).body) == 0
            assert len(server.heads) == 4

    crawl(test)


def test_broken_off_once(crawl: Crawl) -> None:
    """A short body is asked for again and comes whole."""

    async def test(engine: Engines) -> None:
        tries = []

        async def answer(head: bytes, writer: Writer) -> None:
            tries.append(1)
            writer.write(reply(b"whole") if len(tries) > 1 else reply(b"who", length=5))
            await writer.drain()
            if len(tries) == 1:
                writer.close()

        async with serving(answer) as server:
            assert (await engine().get(server.url)).body == b"whole"

    crawl(test)


def test_what_does_not_pass_is_not_retried(crawl: Crawl) -> None:
    """A body over the limit stays too large."""

    async def test(engine: Engines) -> None:
        async with serving(fixed(reply(bytes(1000)))) as server:
            with pytest.raises(Failed):
                await engine(DOWNLOAD_MAXSIZE=10).get(server.url)
            assert len(server.heads) == 1

    crawl(test)


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_retry_after_holds_the_host_only(crawl: Crawl, form: str) -> None:
    """The host rests as long as it asked, for all its URLs; another host goes on."""

    async def test(engine: Engines) -> None:
        wait = "1" if form == "seconds" else formatdate(time.time() + 1.999, usegmt=True)
        pages = {"/": [reply(b"", "429 x", {"Retry-After": wait}), OK], "/other": OK}
        async with serving(routes(pages)) as server, serving(fixed(OK)) as free:
            mine = engine()
            start = time.monotonic()
            first = asyncio.ensure_future(mine.get(server.url))
            await asyncio.sleep(0.3)
            assert mine.downloader.seconds_until_ready(server.key) > 0.2
            await mine.get(free.url)
            assert time.monotonic() - start < 0.9
            await mine.get(f"{server.url}other")
            await first
            assert time.monotonic() - start >= 0.9

    crawl(test)


def test_a_long_retry_after_is_cut(crawl: Crawl) -> None:
    """Nobody waits a day."""

    async def test(engine: Engines) -> None:
        pages = {"/": [reply(b"", "503 x", {"Retry-After": "86400"}), OK]}
        async with serving(routes(pages)) as server:
            assert (await engine(PICSPIDER_RETRY_AFTER_MAX=0.2).get(server.url)).body == b"ok"

    crawl(test)


def test_waiting_takes_no_place(crawl: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a request waits for its next attempt, its host and the whole crawl have the place for others."""
    monkeypatch.setattr(retries, "_FIRST_WAIT_SECONDS", 3.0)

    async def test(engine: Engines) -> None:
        pages = {"/": [reply(b"", "500 x"), OK], "/other": OK}
        async with serving(routes(pages)) as server:
            mine = engine(CONCURRENT_REQUESTS=1, CONCURRENT_REQUESTS_PER_DOMAIN=1, PICSPIDER_BACKOFF_MAX=5)
            first = asyncio.ensure_future(mine.get(server.url))
            while not mine.downloader.active or mine.downloader.needs_backout():  # noqa: ASYNC110 - nothing tells
                await asyncio.sleep(0.01)
            assert mine.downloader.free_places(server.key) == 1
            await mine.get(f"{server.url}other")
            assert not first.done()
            assert (await first).body == b"ok"

    crawl(test)


def test_a_dead_host_is_not_insisted_on(crawl: Crawl) -> None:
    """After so many failures in a row each further URL of a host is tried once."""

    async def test(engine: Engines) -> None:
        mine = engine(PICSPIDER_HOST_PATIENCE=3, RETRY_TIMES=2)
        for _ in range(5):
            with pytest.raises(Failed):
                await mine.get("http://127.0.0.1:1/")
        assert mine.crawler.stats.get_value("retry/count") == 2

    crawl(test)


@pytest.mark.parametrize(
    ("value", "date", "seconds"),
    [
        ("120", None, 120),
        ("0", None, 0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2015 07:27:00 GMT", 60),
        ("Wed, 21 Oct 2015 07:28:00 GMT", None, 0),
        ("soon", None, None),
        ("-5", None, None),
        (None, None, None),
    ],
)
def test_retry_after(value: str | None, date: str | None, seconds: float | None) -> None:
    """Both forms are read; a date by the server's own clock."""
    headers = {name: text for name, text in (("Retry-After", value), ("Date", date)) if text}
    assert retry_after_seconds(Response("http://h/", headers=headers)) == seconds


def test_next_attempt_without_note() -> None:
    """Requests outside the crawl are counted in Scrapy's own meta key."""
    again = next_attempt(next_attempt(Request("http://h/")))
    assert attempts_before(again) == 2
