"""The client for what nearly all requests are: GET without a proxy. Several times cheaper than a general client."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections import defaultdict
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import quote

import aiohappyeyeballs

from picspider.errors import Failed
from picspider.fetch.client.connection import Connection, StaleError
from picspider.fetch.origin import Origin, split

if TYPE_CHECKING:
    from picspider.fetch.client.client import Call, Sink
    from picspider.fetch.client.resolver import Resolver

_SWEEP_SECONDS = 0.25
_JUST_NOW_SECONDS = 0.01
_KEEP_SECONDS = 30.0
_NEXT_ADDRESS_SECONDS = 0.25  # RFC 8305, 5
_NOT_IN_TARGETS = re.compile(r"[^!-~]")
_PRINTABLE = "".join(map(chr, range(0x21, 0x7F)))


class DirectClient:
    """`picspider.fetch.client.client.Client` for GET. Used inside one running event loop.

    One timer looks after the deadlines of all calls, four times a second, and closes connections long unused.
    """

    def __init__(self, resolver: Resolver, tls: Callable[[], ssl.SSLContext]) -> None:
        self._resolver = resolver
        self._tls = tls
        self._idle: defaultdict[str, list[Connection]] = defaultdict(list)
        self._calls: dict[asyncio.Future[None], Connection] = {}
        self._sweeper: asyncio.TimerHandle | None = None

    async def fetch(self, call: Call, sink: Sink) -> None:
        """See `Client.fetch`."""
        server, target = split(call.url)
        data = _request(server, target, call.headers)
        now = monotonic()
        deadline = now + call.timeout_seconds
        idle = self._idle[server.key]
        if self._sweeper is None:
            self._sweep()
        while True:
            connection = _quiet(idle, now) or await self._connect(server, deadline)
            done = connection.ask(data, sink, deadline)
            self._calls[done] = connection
            try:
                return await done
            except StaleError:
                continue
            except asyncio.CancelledError:
                connection.fail(ConnectionAbortedError("the call was given up"))
                raise
            finally:
                del self._calls[done]

    async def close(self) -> None:
        """Close all connections."""
        if self._sweeper is not None:
            self._sweeper.cancel()
            self._sweeper = None
        for connection in list(self._calls.values()):
            connection.fail(ConnectionAbortedError("the crawl has ended"))
        for connections in self._idle.values():
            for connection in list(connections):
                connection.close()
        self._idle.clear()

    async def _connect(self, server: Origin, deadline: float) -> Connection:
        try:
            return await asyncio.wait_for(self._open(server), max(0.001, deadline - monotonic()))
        except asyncio.TimeoutError as error:
            raise TimeoutError(f"no connection to {server.key} in time") from error

    async def _open(self, server: Origin) -> Connection:
        infos = await self._resolver.resolve(server.host, server.port)
        loop = asyncio.get_running_loop()
        sock = await aiohappyeyeballs.start_connection(infos, happy_eyeballs_delay=_NEXT_ADDRESS_SECONDS, loop=loop)
        try:
            _, connection = await loop.create_connection(
                lambda: Connection(sock, self._idle[server.key]),
                sock=sock,
                ssl=self._tls() if server.tls else None,
                server_hostname=server.host if server.tls else None,
            )
        except BaseException:
            sock.close()
            raise
        return connection

    def _sweep(self) -> None:
        self._sweeper = asyncio.get_running_loop().call_later(_SWEEP_SECONDS, self._sweep)
        now = monotonic()
        for connection in list(self._calls.values()):
            if now > connection.deadline:
                connection.expire()
        for connections in self._idle.values():
            for connection in [each for each in connections if now - each.free_since > _KEEP_SECONDS]:
                connections.remove(connection)
                connection.close()


def _quiet(idle: list[Connection], now: float) -> Connection | None:
    """A kept connection to use again, if there is one that no bytes wait on.

    One that became free just now is not looked at, which would cost each request of a busy crawl a system call.
    """
    while idle:
        connection = idle.pop()
        if now - connection.free_since < _JUST_NOW_SECONDS or connection.is_quiet():
            return connection
        connection.close()
    return None


def _request(server: Origin, target: str, headers: list[tuple[bytes, bytes]]) -> bytes:
    if _NOT_IN_TARGETS.search(target):
        target = quote(target, safe=_PRINTABLE)
    block = b"".join([b"%b: %b\r\n" % pair for pair in headers])
    if block.count(b"\n") != len(headers) or block.count(b"\r") != len(headers):
        raise Failed("bad-url", "a header of the request has a line break in it")
    return b"GET %b HTTP/1.1\r\nHost: %b\r\n%b\r\n" % (target.encode(), server.netloc.encode(), block)
