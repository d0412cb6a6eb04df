from __future__ import annotations

import asyncio
import time

import pytest
from scrapy import Request

from picspider.errors import Failed
from tests.fetch.servers import Fetchers, Run, Writer, fixed, reply, serving


def test_a_stale_connection_is_replaced(run: Run) -> None:
    """A server that closed the kept connection meanwhile gets the same request on a new one."""

    async def test(fetcher: Fetchers) -> None:
        async def answer(head: bytes, writer: Writer) -> None:
            writer.write(reply(b"ok"))
            await writer.drain()
            if b" /last " in head:
                writer.close()

        async with serving(answer) as server:
            mine = fetcher()
            await mine.get(f"{server.url}last")
            assert (await mine.get(server.url)).body == b"ok"
            assert server.connections == 2
            assert len(server.heads) == 2

    run(test)


def test_a_connection_that_dies_under_a_request(run: Run) -> None:
    """When a kept connection is dropped without a byte of answer, the request is made once more."""

    async def test(fetcher: Fetchers) -> None:
        async def answer(head: bytes, writer: Writer) -> None:
            if len(server.heads) == 2:
                writer.transport.abort()
                return
            writer.write(reply(b"ok"))

        async with serving(answer) as server:
            mine = fetcher()
            for _ in range(3):
                assert (await mine.get(server.url)).body == b"ok"
            assert len(server.heads) == 4

    run(test)


@pytest.mark.parametrize(
    "data",
    [
        b"HTTP/1.1 200 OK\r\n\r\nto the end",
        b"HTTP/1.0 200 OK\r\n\r\nto the end",
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nto the end",
        b"HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nto the end",
        b"HTTP/1.1 200\r\nContent-Length: 10\r\n\r\nto the end",
        b"HTTP/1.1 200 OK\nContent-Length: 10\n\nto the end",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nto the endHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nto the end and some more",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5 \r\nto th\r\n5;a=b\r\ne end\r\n0\r\nX-T: 1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\na\r\nto the end\r\n0\r\n\r\n",
    ],
)
def test_framing(run: Run, data: bytes) -> None:
    """Every way to frame a body that browsers understand is understood, also in pieces."""

    async def test(fetcher: Fetchers) -> None:
        async def answer(head: bytes, writer: Writer) -> None:
            if b" /slow " in head:
                for i in range(len(data)):
                    writer.write(data[i : i + 1])
                    await writer.drain()
                    if i % 20 == 0:
                        await asyncio.sleep(0.001)
            else:
                writer.write(data)
            await writer.drain()
            writer.close()

        async with serving(answer) as server:
            for path in ("", "slow"):
                assert (await fetcher().get(server.url + path)).body == b"to the end"

    run(test)


@pytest.mark.parametrize(
    "data",
    [
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 100_000,
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nxx",
        b"SSH-2.0-OpenSSH_9\r\n\r\n",
    ],
)
def test_what_is_not_http(run: Run, data: bytes) -> None:
    """Answers without sense, or without end, are bad responses."""

    async def test(fetcher: Fetchers) -> None:
        async with serving(fixed(data)) as server:
            with pytest.raises(Failed) as info:
                await fetcher(DOWNLOAD_TIMEOUT=5).get(server.url)
            assert info.value.reason == "bad-response"

    run(test)


def test_headers_cannot_be_smuggled(run: Run) -> None:
    """A line break in a header's value is refused, not sent."""

    async def test(fetcher: Fetchers) -> None:
        async with serving(fixed(reply(b"ok"))) as server:
            with pytest.raises(Failed):
                await fetcher().get(server.url, headers={"Referer": "x\r\nX-Evil: 1"})
            assert not server.heads

    run(test)


def test_targets_are_ascii(run: Run) -> None:
    """What must not stand in a request line is escaped; the rest stays as written, and the fragment stays here."""

    async def test(fetcher: Fetchers) -> None:
        async with serving(fixed(reply(b"ok"))) as server:
            request = Request(f"{server.url}\u00fc x|y%2f?q=\u4e2d#frag", meta={"verbatim_url": True})
            await fetcher().handler.download_request(request)
            assert server.heads[0].split(b"\r\n")[0] == b"GET /%C3%BC%20x|y%2f?q=%E4%B8%AD HTTP/1.1"

    run(test)


def test_a_given_up_call_leaves_nothing(run: Run) -> None:
    """Cancelling a download closes its connection at once."""

    async def test(fetcher: Fetchers) -> None:
        gone = asyncio.Event()

        async def answer(head: bytes, writer: Writer) -> None:
            writer.write(reply(b"", length=1_000_000))
            try:
                while True:
                    writer.write(b"x")
                    await writer.drain()
                    await asyncio.sleep(0.02)
            except ConnectionError:
                gone.set()

        async with serving(answer) as server:
            task = asyncio.ensure_future(fetcher().get(server.url))
            await asyncio.sleep(0.2)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await asyncio.wait_for(gone.wait(), 3)

    run(test)


def test_no_connection_in_time(run: Run) -> None:
    """A host that does not answer at all ends in a timeout."""

    async def test(fetcher: Fetchers) -> None:
        start = time.monotonic()
        with pytest.raises(Failed) as info:
            await fetcher(DOWNLOAD_TIMEOUT=0.5).get("http://192.0.2.1/")
        assert info.value.reason in ("timeout", "connection")
        assert time.monotonic() - start < 5

    run(test)
