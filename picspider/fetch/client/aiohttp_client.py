"""The client on aiohttp: knows proxies and every method."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

import aiohttp
import yarl
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.connector import Connection

from picspider.fetch import origin
from picspider.fetch.client.client import UNWANTED_BODY_SECONDS

if TYPE_CHECKING:
    import ssl

    from picspider.fetch.client.client import Call, Sink
    from picspider.fetch.client.resolver import Resolver


class _Names(AbstractResolver):
    """aiohttp's view of our resolver."""

    def __init__(self, resolver: Resolver, free: set[tuple[str, int]]) -> None:
        self._resolver = resolver
        self._free = free

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        judged = (host, port) not in self._free
        infos = await self._resolver.resolve(host, port, judged=judged)
        return [
            ResolveResult(hostname=host, host=info[4][0], port=port, family=info[0], proto=info[2], flags=0)
            for info in infos
            if family in (socket.AF_UNSPEC, info[0])
        ]

    async def close(self) -> None:
        """Nothing is held."""


class _Response(aiohttp.ClientResponse):
    """Remembers the server's address, which aiohttp forgets when the body is complete with the head."""

    peer: str | None = None

    async def start(self, connection: Connection) -> aiohttp.ClientResponse:
        if connection.transport is not None:
            self.peer = connection.transport.get_extra_info("peername")[0]
        return await super().start(connection)


async def _read(response: aiohttp.ClientResponse, sink: Sink) -> None:
    async for chunk in response.content.iter_any():
        sink.data(chunk)


class AiohttpClient:
    """`picspider.fetch.client.client.Client` on aiohttp. Made and used inside a running event loop."""

    def __init__(self, resolver: Resolver, tls: Callable[[], ssl.SSLContext]) -> None:
        self._resolver = resolver
        self._proxies: set[tuple[str, int]] = set()
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                limit=0, resolver=_Names(resolver, self._proxies), use_dns_cache=False, ssl=tls()
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            response_class=_Response,
            skip_auto_headers=("Accept", "Accept-Encoding", "Content-Type", "User-Agent"),
        )

    async def fetch(self, call: Call, sink: Sink) -> None:
        """See `Client.fetch`."""
        self._admit(call)
        async with self._session.request(
            call.method,
            yarl.URL(call.url, encoded=True),
            headers=[(name.decode("latin-1"), value.decode("latin-1")) for name, value in call.headers],
            data=call.body or None,
            timeout=aiohttp.ClientTimeout(total=call.timeout_seconds),
            allow_redirects=False,
            proxy=call.proxy,
        ) as response:
            try:
                sink.head(response.status, list(response.raw_headers), getattr(response, "peer", None))
                is_told = response.status >= 300 and sink.is_whole()
                await asyncio.wait_for(_read(response, sink), UNWANTED_BODY_SECONDS if is_told else None)
            except (asyncio.TimeoutError, aiohttp.ClientError):
                response.close()
                if not sink.is_whole():
                    raise
            except BaseException:
                response.close()
                raise

    async def close(self) -> None:
        """Close all connections, and give TLS the turn of the loop that it needs for it."""
        await self._session.close()
        await asyncio.sleep(0)

    def _admit(self, call: Call) -> None:
        # aiohttp asks no resolver about literal addresses, and a proxy resolves for itself.
        server, _ = origin.split(call.url)
        self._resolver.policy.admit_name(server.host)
        if call.proxy is not None:
            proxy, _ = origin.split(call.proxy)
            self._proxies.add((proxy.host, proxy.port))
