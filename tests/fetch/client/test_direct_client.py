from __future__ import annotations

import asyncio
import time

import pytest
from scrapy import Request

from picspider.errors import Failed
from picspider.fetch.client.client import UNWANTED_BODY_SECONDS
from picspider.fetch.handler import Transport
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


@pytest.mark.parametrize("client", ["direct", "general"])
@pytest.mark.parametrize(
    "rest",
    [
        b"Content-Length: 5000\r\n\r\nxx",
        b"\r\nxx",
        b"Transfer-Encoding: chunked\r\n\r\n5\r\nxx",
        b"Content-Encoding: gzip\r\nContent-Length: 5000\r\n\r\n\x1f\x8b\x08",
    ],
)
def test_a_stalled_body_does_not_hide_a_status(
    run: Run, monkeypatch: pytest.MonkeyPatch, rest: bytes, client: str
) -> None:
    """Of an error or a redirect the head decides, soon, whatever becomes of the body; the connection is closed."""
    if client == "general":
        monkeypatch.setattr(Transport, "client", lambda transport, _call: transport.general_client())

    async def test(fetcher: Fetchers) -> None:
        async def answer(head: bytes, writer: Writer) -> None:
            status = b"404 Not Found" if b" /lost " in head else b"302 Found\r\nLocation: /there"
            writer.write(reply(b"ok") if b" /well " in head else b"HTTP/1.1 " + status + b"\r\n" + rest)

        async with serving(answer) as server:
            start = time.monotonic()
            mine = fetcher(DOWNLOAD_TIMEOUT=20)
            lost, moved = await asyncio.gather(mine.get(f"{server.url}lost"), mine.get(f"{server.url}moved"))
            assert (lost.status, moved.status, moved.headers["Location"]) == (404, 302, b"/there")
            assert time.monotonic() - start < UNWANTED_BODY_SECONDS + 2
            await mine.get(f"{server.url}well")
            assert server.connections == 3

    run(test)


def test_a_damaged_body_does_not_hide_a_status(run: Run) -> None:
    """Chunks without sense in the body of an error leave it that error."""

    async def test(fetcher: Fetchers) -> None:
        data = b"HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nxx\r\nzz\r\n"
        async with serving(fixed(data)) as server:
            response = await fetcher().get(server.url)
            assert (response.status, response.body) == (404, b"xx")

    run(test)


def test_the_time_of_a_call_is_over_in_a_stalled_error(run: Run) -> None:
    """When the time limit is shorter than the wait for the body, the status is told all the same."""

    async def test(fetcher: Fetchers) -> None:
        async with serving(fixed(reply(b"x", "503 Busy", length=9))) as server:
            assert (await fetcher(DOWNLOAD_TIMEOUT=0.5).get(server.url)).status == 503

    run(test)


def test_a_stalled_picture_is_a_timeout(run: Run) -> None:
    """The body of a success is waited for to its end."""

    async def test(fetcher: Fetchers) -> None:
        async with serving(fixed(reply(b"x", length=9))) as server:
            with pytest.raises(Failed) as info:
                await fetcher(DOWNLOAD_TIMEOUT=0.5).get(server.url)
            assert info.value.reason == "timeout"

    run(test)


@pytest.mark.parametrize("body", [b"", b"the body"])
def test_identity_is_no_transfer_coding(run: Run, body: bytes) -> None:
    """Beside `Transfer-Encoding: identity` the length counts: what is kept open has come to its end; short is short."""

    async def test(fetcher: Fetchers) -> None:
        async def answer(head: bytes, writer: Writer) -> None:
            writer.write(reply(body + b"!", headers={"Transfer-Encoding": "Identity"}))

        async def short(head: bytes, writer: Writer) -> None:
            writer.write(reply(body, length=100, headers={"Transfer-Encoding": "identity"}))
            writer.close()

        async with serving(answer) as server:
            mine = fetcher(DOWNLOAD_TIMEOUT=3)
            for _ in range(2):
                assert (await mine.get(server.url)).body == body + b"!"
        async with serving(short) as server:
            with pytest.raises(Failed) as info:
                await mine.get(server.url)
            assert info.value.reason == "truncated"

    run(test)


@pytest.mark.parametrize("pause_seconds", [0.0, 0.2])
@pytest.mark.parametrize("junk", [b"junk", b"junk junk\r\n\r\njunk", b"\0\1\2", b"HTTP/9 what\r\n\r\n"])
def test_junk_on_a_kept_connection_is_not_the_next_answer(run: Run, junk: bytes, pause_seconds: float) -> None:
    """Bytes that come late, before or while the next answer is asked for, cost a connection, not that answer."""

    async def test(fetcher: Fetchers) -> None:
        async def answer(head: bytes, writer: Writer) -> None:
            writer.write(reply(b"ok"))
            await writer.drain()
            if b" /first " in head:
                await asyncio.sleep(0.1)
                writer.write(junk)

        async with serving(answer) as server:
            mine = fetcher()
            await mine.get(f"{server.url}first")
            await asyncio.sleep(pause_seconds)
            assert (await mine.get(f"{server.url}next")).body == b"ok"
            assert server.connections == 2

    run(test)


def test_unread_bytes_end_a_kept_connection(run: Run) -> None:
    """What waits on a kept connection when it is taken, though it be a whole answer, is not taken for one."""

    async def test(fetcher: Fetchers) -> None:
        async def answer(head: bytes, writer: Writer) -> None:
            writer.write(reply(b"ok"))
            if b" /first " in head:
                asyncio.get_running_loop().call_later(0.1, writer.write, reply(b"not asked for"))

        async with serving(answer) as server:
            mine = fetcher()
            await mine.get(f"{server.url}first")
            next_one = asyncio.get_running_loop().create_future()

            def ask() -> None:  # in the turn of the loop in which the bytes come, before they are read
                time.sleep(0.01)
                next_one.set_result(asyncio.ensure_future(mine.get(f"{server.url}next")))

            asyncio.get_running_loop().call_later(0.1, ask)
            assert (await (await next_one)).body == b"ok"

    run(test)
