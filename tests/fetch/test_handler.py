from __future__ import annotations

import asyncio
import gzip
import zlib

import brotli
import pytest
from scrapy import Request
from scrapy.http import Response

from picspider.errors import Failed
from picspider.fetch.client.decode import zstd
from picspider.fetch.client.early_stop import set_judge
from picspider.fetch.handler import Transport
from tests.fetch.servers import Answer, Fetchers, Pack, Run, Writer, fixed, reply, serving

JPEG = b"\xff\xd8\xff" + bytes(range(256)) * 20 + b"\xff\xd9"


def raw_deflate(data: bytes) -> bytes:
    """Deflate without the zlib frame, as old servers send it."""
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def failure(run: Run, answer: Answer, **settings: object) -> Failed:
    """The Failed that a fetch from a server with *answer* ends in."""
    caught = []

    async def test(fetcher: Fetchers) -> None:
        async with serving(answer) as server:
            with pytest.raises(Failed) as info:
                await fetcher(**settings).get(server.url)
            caught.append(info.value)

    run(test)
    return caught[0]


def body(run: Run, data: bytes, **settings: object) -> Response:
    """The response to a server that answers *data*."""
    got = []

    async def test(fetcher: Fetchers) -> None:
        async with serving(fixed(data)) as server:
            got.append(await fetcher(**settings).get(server.url))

    run(test)
    return got[0]


def test_bytes_and_facts(run: Run) -> None:
    """A picture comes byte for byte, with status, headers and the server's address."""
    response = body(run, reply(JPEG, headers={"Content-Type": "image/jpeg", "X-A": "1"}))
    assert response.body == JPEG
    assert response.status == 200
    assert str(response.ip_address) == "127.0.0.1"
    assert response.headers["x-a"] == b"1"
    assert response.replace(status=201).headers["X-A"] == b"1"


def test_css_on_html(run: Run) -> None:
    """A page is a response that other people's middleware can select from."""
    response = body(run, reply(b"<title>T</title>", headers={"Content-Type": "text/html; charset=utf-8"}))
    assert response.css("title::text").get() == "T"


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", raw_deflate),
        ("br", brotli.compress),
        ("zstd", zstd.compress),
        ("gzip, br", lambda data: brotli.compress(gzip.compress(data))),
        ("gzip", lambda data: gzip.compress(gzip.compress(data))),
        ("gzip", lambda data: data),
        ("identity", gzip.compress),
    ],
)
def test_content_codings(run: Run, name: str, pack: Pack) -> None:
    """Every coding that is asked for is undone, also twice, unannounced or wrongly announced."""
    assert body(run, reply(pack(JPEG), headers={"Content-Encoding": name})).body == JPEG


@pytest.mark.parametrize(("name", "pack"), [("gzip", gzip.compress), ("br", brotli.compress), ("zstd", zstd.compress)])
def test_bombs(run: Run, name: str, pack: Pack) -> None:
    """A small answer that unpacks to more than the limit is stopped."""
    data = reply(pack(bytes(20_000_000)), headers={"Content-Encoding": name})
    assert failure(run, fixed(data), DOWNLOAD_MAXSIZE=1_000_000).reason == "bomb"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (reply(b""), "empty"),
        (reply(JPEG, length=len(JPEG) + 9) + b"", "truncated"),
        (reply(gzip.compress(JPEG)[:-10], headers={"Content-Encoding": "gzip"}), "encoding"),
        (reply(b"nonsense", headers={"Content-Encoding": "gzip"}), "encoding"),
        (reply(b"nonsense", headers={"Content-Encoding": "compress"}), "encoding"),
        (reply(JPEG, "206 Partial Content", {"Content-Range": "bytes 0-9/5198"}), "truncated"),
        (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", "bad-response"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n5\r\nab", "truncated"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "bad-response"),
        (b"", "connection"),
        (b"HTTP/1.1 200 OK\r\nContent-", "connection"),
    ],
)
def test_broken_answers(run: Run, data: bytes, reason: str) -> None:
    """Whatever a server does wrong has its reason."""

    async def answer(head: bytes, writer: Writer) -> None:
        writer.write(data)
        await writer.drain()
        writer.close()

    assert failure(run, answer).reason == reason


def test_declared_size_stops_before_the_body(run: Run) -> None:
    """A length over the limit is refused from the head alone."""

    async def answer(head: bytes, writer: Writer) -> None:
        writer.write(reply(b"", length=3_000_000_000))
        await asyncio.sleep(20)

    assert failure(run, answer, DOWNLOAD_MAXSIZE=1_000_000).reason == "too-large"


def test_endless_body_is_cut(run: Run) -> None:
    """A body without length is cut at the limit."""

    async def answer(head: bytes, writer: Writer) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        for _ in range(10_000):
            writer.write(bytes(10_000))
            await writer.drain()

    assert failure(run, answer, DOWNLOAD_MAXSIZE=1_000_000).reason == "too-large"


def test_trickle_ends_in_a_timeout(run: Run) -> None:
    """The time limit is on the whole transfer, not on the pauses."""

    async def answer(head: bytes, writer: Writer) -> None:
        writer.write(reply(b"", length=1000))
        for _ in range(200):
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.1)

    assert failure(run, answer, DOWNLOAD_TIMEOUT=1).reason == "timeout"


def test_error_body_is_not_read_to_its_end(run: Run) -> None:
    """The status of an endless error page is told; its body is cut."""

    async def test(fetcher: Fetchers) -> None:
        async def answer(head: bytes, writer: Writer) -> None:
            writer.write(b"HTTP/1.1 404 Not Found\r\n\r\n")
            for _ in range(10_000):
                writer.write(bytes(10_000))
                await writer.drain()

        async with serving(answer) as server:
            response = await fetcher().get(server.url)
            assert response.status == 404
            assert len(response.body) < 1_000_000

    run(test)


def test_refused_connection_and_unknown_name(run: Run) -> None:
    """Nobody there is a connection failure, no such name a dns failure."""

    async def test(fetcher: Fetchers) -> None:
        with pytest.raises(Failed) as info:
            await fetcher().get("http://127.0.0.1:1/")
        assert info.value.reason == "connection"
        with pytest.raises(Failed) as info:
            await fetcher().get("http://no-such-host.invalid/")
        assert info.value.reason == "dns"

    run(test)


def test_url_is_sent_as_written(run: Run) -> None:
    """Escapes, brackets and the order of the query reach the server unchanged."""

    async def test(fetcher: Fetchers) -> None:
        async with serving(fixed(reply(b"ok"))) as server:
            target = "/AC%252FDC/%2F/a|b[1]'%23.jpg?z=1&a=2&b="
            request = Request(server.url, meta={"verbatim_url": True})
            request._url = server.url[:-1] + target
            await fetcher().handler.download_request(request)
            assert server.heads[0].split(b" ")[1] == target.encode()

    run(test)


def test_judge_stops_a_transfer(run: Run) -> None:
    """The judge sees the first KiB once and ends the download by raising."""

    class TooSmallError(Exception):
        """A judge's own."""

    async def test(fetcher: Fetchers) -> None:
        seen = []

        def judge(_request: Request, head: bytes, declared: int | None) -> None:
            seen.append((len(head), declared))
            raise TooSmallError

        async def answer(head: bytes, writer: Writer) -> None:
            writer.write(reply(bytes(3000), length=1_000_000))
            await asyncio.sleep(20)

        async with serving(answer) as server:
            mine = fetcher()
            set_judge(mine.crawler, judge)
            with pytest.raises(TooSmallError):
                await mine.get(server.url)
        assert len(seen) == 1
        assert seen[0][0] >= 1024
        assert seen[0][1] == 1_000_000

    run(test)


def test_connections_are_kept(run: Run) -> None:
    """Many requests in a row use one connection."""

    async def test(fetcher: Fetchers) -> None:
        async with serving(fixed(reply(JPEG))) as server:
            mine = fetcher()
            for _ in range(5):
                await mine.get(server.url)
            assert server.connections == 1

    run(test)


def test_post_is_sent(run: Run) -> None:
    """A form's body goes with its length."""

    async def test(fetcher: Fetchers) -> None:
        async with serving(fixed(reply(b"ok"))) as server:
            await fetcher().get(server.url, method="POST", body=b"a=1")
            assert server.heads[0].startswith(b"POST / HTTP/1.1\r\n")
            assert b"content-length: 3" in server.heads[0].lower()

    run(test)


def test_general_client_does_all_of_it_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client on aiohttp keeps the same promises, so that proxies lose none of them."""
    monkeypatch.setattr(Transport, "client", lambda transport, _call: transport.general_client())

    async def slow(head: bytes, writer: Writer) -> None:
        writer.write(reply(b"", length=1000))
        for _ in range(100):
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.1)

    async def cut(head: bytes, writer: Writer) -> None:
        writer.write(reply(b"abc", length=1000))
        await writer.drain()
        writer.close()

    assert body(run, reply(gzip.compress(JPEG), headers={"Content-Encoding": "gzip"})).body == JPEG
    assert str(body(run, reply(JPEG)).ip_address) == "127.0.0.1"
    assert failure(run, slow, DOWNLOAD_TIMEOUT=1).reason == "timeout"
    assert failure(run, cut).reason == "truncated"
    assert failure(run, fixed(b"nonsense\r\n\r\n")).reason == "bad-response"
    assert failure(run, fixed(reply(b"", length=3_000_000_000)), DOWNLOAD_MAXSIZE=10).reason == "too-large"
    refused = {"PICSPIDER_ALLOW_PRIVATE_ADDRESSES": False, "PICSPIDER_ALLOWED_ADDRESSES": []}
    assert failure(run, fixed(reply(JPEG)), **refused).reason == "forbidden-address"
