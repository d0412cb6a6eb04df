from __future__ import annotations

import asyncio
import time
from itertools import pairwise

import pytest
import scrapy
from scrapy import Request, Spider, signals
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from picspider.errors import Failed
from picspider.fetch.downloader import Downloader
from tests.fetch.servers import Fetchers, Run, Writer, reply, serving

QUIET = {
    f"scrapy.downloadermiddlewares.{name}": None for name in ("offsite.OffsiteMiddleware", "stats.DownloaderStats")
}


def make(**settings: object) -> Downloader:
    """A downloader as the engine builds it, with our handler."""
    base = {
        "DOWNLOAD_HANDLERS": dict.fromkeys(("http", "https"), "picspider.fetch.handler.PictureHandler"),
        "PICSPIDER_ALLOW_PRIVATE_ADDRESSES": True,
        "DOWNLOAD_DELAY_JITTER": 0,
        "DOWNLOADER_MIDDLEWARES": QUIET,
    }
    crawler = get_crawler(Spider, {**base, **settings})
    crawler.spider = crawler._create_spider("test")
    return Downloader(crawler)


async def slow(head: bytes, writer: Writer) -> None:
    """An answer that takes a twentieth of a second."""
    await asyncio.sleep(0.05)
    writer.write(reply(b"ok"))


async def close(downloader: Downloader) -> None:
    """What the engine does at the end."""
    downloader.close()
    await downloader.handlers._close()


def test_scrapy_version_of_the_private_parts() -> None:
    """The private parts that chain.py and downloader.py read were checked on this release."""
    assert scrapy.__version__.startswith("2.19.")
    downloader = make()
    assert isinstance(downloader.middleware._mw_methods_requiring_spider, set)
    assert downloader.handlers._get_handler("http") is not None
    assert set(downloader.middleware.methods) >= {"process_request", "process_response", "process_exception"}


@pytest.mark.parametrize("limit", [1, 3, 8])
def test_a_host_never_sees_more_than_its_limit(run: Run, limit: int) -> None:
    """A burst of 40 requests reaches the server `limit` at a time, and all are answered."""

    async def test(fetcher: Fetchers) -> None:
        async with serving(slow) as server:
            downloader = make(CONCURRENT_REQUESTS_PER_DOMAIN=limit)
            assert downloader.free_places(server.key) == limit
            waiting = [
                downloader.fetch(Request(f"{server.url}{i}")).asFuture(asyncio.get_running_loop()) for i in range(40)
            ]
            assert downloader.free_places(server.key) == 0
            assert len(downloader.active) == 40
            results = await asyncio.gather(*waiting)
            assert [r.status for r in results] == [200] * 40
            assert server.most == limit
            assert not downloader.active
            assert downloader.free_places(server.key) == limit
            await close(downloader)

    run(test)


def test_hosts_do_not_wait_for_each_other(run: Run) -> None:
    """A held host keeps its requests, while another one answers."""

    async def test(fetcher: Fetchers) -> None:
        async with serving(slow) as held, serving(slow) as free:
            downloader = make()
            downloader.hold(held.key, 0.5)
            assert 0.4 < downloader.seconds_until_ready(held.key) <= 0.5
            assert downloader.free_places(held.key) == 0
            loop = asyncio.get_running_loop()
            start = time.monotonic()
            late = downloader.fetch(Request(held.url)).asFuture(loop)
            await downloader.fetch(Request(free.url)).asFuture(loop)
            assert time.monotonic() - start < 0.4
            await late
            assert time.monotonic() - start >= 0.5
            assert downloader.seconds_until_ready(held.key) == 0
            await close(downloader)

    run(test)


def test_delay_is_kept_between_starts(run: Run) -> None:
    """With a delay, requests of one host start at least that far apart."""

    async def test(fetcher: Fetchers) -> None:
        times = []

        async def answer(head: bytes, writer: Writer) -> None:
            times.append(time.monotonic())
            writer.write(reply(b"ok"))

        async with serving(answer) as server:
            downloader = make(DOWNLOAD_DELAY=0.1)
            assert downloader.free_places(server.key) == 1
            loop = asyncio.get_running_loop()
            await downloader.fetch(Request(server.url)).asFuture(loop)  # the first one connects
            await asyncio.gather(*(downloader.fetch(Request(f"{server.url}{i}")).asFuture(loop) for i in range(4)))
            gaps = [later - earlier for earlier, later in pairwise(times[1:])]
            assert min(gaps) > 0.09
            assert downloader.seconds_until_ready(server.key) > 0
            await close(downloader)

    run(test)


def test_own_slot_and_its_settings(run: Run) -> None:
    """`download_slot` and DOWNLOAD_SLOTS mean what they mean in Scrapy."""

    async def test(fetcher: Fetchers) -> None:
        async with serving(slow) as server:
            downloader = make(DOWNLOAD_SLOTS={"mine": {"concurrency": 2, "delay": 0}})
            loop = asyncio.get_running_loop()
            requests = [Request(f"{server.url}{i}", meta={"download_slot": "mine"}) for i in range(6)]
            await asyncio.gather(*(downloader.fetch(request).asFuture(loop) for request in requests))
            assert server.most == 2
            assert list(downloader.slots) == ["mine"]
            await close(downloader)

    run(test)


def test_signals_are_sent_to_those_who_listen(run: Run) -> None:
    """A receiver of response_downloaded gets it, also one that connects late."""

    async def test(fetcher: Fetchers) -> None:
        async with serving(slow) as server:
            downloader = make()
            loop = asyncio.get_running_loop()
            await downloader.fetch(Request(server.url)).asFuture(loop)
            heard = []

            def receiver(response: Response, request: Request, spider: Spider) -> None:
                heard.append((response.url, request.url, spider.name))

            downloader.crawler.signals.connect(receiver, signals.response_downloaded)
            await downloader.fetch(Request(server.url)).asFuture(loop)
            assert heard == [(server.url, server.url, "test")]
            downloader.crawler.signals.disconnect(receiver, signals.response_downloaded)
            await downloader.fetch(Request(server.url)).asFuture(loop)
            assert len(heard) == 1
            await close(downloader)

    run(test)


class Meddler:
    """A middleware that does what a middleware may."""

    async def process_request(self, request: Request) -> Response | None:
        """Answers by itself."""
        await asyncio.sleep(0)
        if request.url.endswith("/cached"):
            return Response(request.url, body=b"cached")
        return None

    def process_response(self, request: Request, response: Response) -> Response:  # Scrapy passes it
        """Changes the answer."""
        return response.replace(body=response.body + b"!")

    def process_exception(self, request: Request, exception: Exception) -> Response | None:
        """Answers for an error."""
        if request.url.endswith("/saved"):
            return Response(request.url, body=type(exception).__name__.encode())
        return None


def test_middleware_chain(run: Run) -> None:
    """Middlewares may await, answer themselves, change answers and answer for errors."""

    async def test(fetcher: Fetchers) -> None:
        async with serving(slow) as server:
            downloader = make(DOWNLOADER_MIDDLEWARES={**QUIET, Meddler: 100})
            loop = asyncio.get_running_loop()
            got = await downloader.fetch(Request(server.url)).asFuture(loop)
            assert got.body == b"ok!"
            got = await downloader.fetch(Request(f"{server.url}cached")).asFuture(loop)
            assert got.body == b"cached!"
            got = await downloader.fetch(Request("http://127.0.0.1:1/saved", meta={"max_retry_times": 0})).asFuture(
                loop
            )
            assert got.body == b"Failed!"
            with pytest.raises(Failed):
                await downloader.fetch(Request("http://127.0.0.1:1/", meta={"max_retry_times": 0})).asFuture(loop)
            assert not downloader.active
            assert server.most == 1
            await close(downloader)

    run(test)


def test_many_hosts_are_forgotten(run: Run) -> None:
    """The slots of a thousand idle hosts do not stay."""

    async def test(fetcher: Fetchers) -> None:
        downloader = make()
        for i in range(2500):
            downloader._slot(f"host{i}:80")
        assert len(downloader.slots) <= 1000

    run(test)
