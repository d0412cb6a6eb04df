"""Real servers on loopback, and a download handler to fetch from them."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from scrapy import Request, Spider
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from picspider.fetch.handler import PictureHandler
from picspider.visit import Note, attach

Writer = asyncio.StreamWriter
Answer = Callable[[bytes, Writer], Awaitable[None]]
Pack = Callable[[bytes], bytes]


@dataclass
class Server:
    """A raw socket server: `answer` gets the request's head and writes whatever it likes."""

    answer: Answer
    port: int = 0
    host: str = "127.0.0.1"
    heads: list[bytes] = field(default_factory=list)
    now: int = 0
    most: int = 0
    connections: int = 0
    tls: bool = False

    @property
    def url(self) -> str:
        """The root of the server."""
        scheme = "https" if self.tls else "http"
        return f"{scheme}://{self.host}:{self.port}/"

    @property
    def key(self) -> str:
        """Its host and port."""
        return f"{self.host}:{self.port}"

    async def handle(self, reader: asyncio.StreamReader, writer: Writer) -> None:
        """Serve one connection until it closes."""
        self.connections += 1
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                self.heads.append(head)
                await reader.readexactly(int(header(head, "Content-Length") or 0))
                self.now += 1
                self.most = max(self.most, self.now)
                try:
                    await self.answer(head, writer)
                    await writer.drain()
                finally:
                    self.now -= 1
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def serving(answer: Answer, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1") -> AsyncIterator[Server]:
    """A running `Server` on a free port of loopback."""
    server = Server(answer, host=host, tls=tls is not None)
    listener = await asyncio.start_server(server.handle, host, 0, ssl=tls)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listener.close()


def reply(
    body: bytes = b"", status: str = "200 OK", headers: dict[str, str] | None = None, length: int | None = None
) -> bytes:
    """The bytes of an HTTP/1.1 answer."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def fixed(data: bytes) -> Answer:
    """A server that always answers *data*."""

    async def answer(head: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(data)

    return answer


def routes(pages: dict[str, bytes | list[bytes]]) -> Answer:
    """A server of fixed answers by path; a list is used up one by one, its last element stays; 404 elsewhere."""

    async def answer(head: bytes, writer: Writer) -> None:
        path = head.split(b" ")[1].decode()
        data = pages.get(path, reply(b"no such page", "404 Not Found"))
        if isinstance(data, list):
            data = data.pop(0) if len(data) > 1 else data[0]
        writer.write(data)

    return answer


def moved(to: str, status: str = "302 Found", **headers: str) -> bytes:
    """The bytes of a redirect."""
    return reply(b"", status, {"Location": to, **headers})


def header(head: bytes, name: str) -> str | None:
    """The value of a header in a request's head."""
    for line in head.decode("latin-1").split("\r\n")[1:]:
        if line.lower().startswith(name.lower() + ":"):
            return line.partition(":")[2].strip()
    return None


class Fetcher:
    """A download handler as Scrapy builds it."""

    def __init__(self, **settings: object) -> None:
        settings.setdefault("PICSPIDER_ALLOW_PRIVATE_ADDRESSES", True)
        self.crawler = get_crawler(Spider, settings)
        self.handler = PictureHandler.from_crawler(self.crawler)

    async def get(self, url: str, **request: Any) -> Response:  # Request's own arguments
        """The response to a noted request for *url*."""
        made = Request(url, **request)
        attach(made, Note(kind="picture"))
        return await self.handler.download_request(made)


Fetchers = Callable[..., Fetcher]
Run = Callable[[Callable[[Fetchers], Awaitable[None]]], None]
