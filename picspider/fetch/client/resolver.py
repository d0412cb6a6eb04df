"""Name to addresses: looked up in a thread, kept for a while, and judged by the address policy every time."""

from __future__ import annotations

import asyncio
import socket
from time import monotonic

from picspider.errors import Failed, in_words
from picspider.fetch.addresses import AddressPolicy

AddrInfo = tuple[int, int, int, str, tuple[str, int] | tuple[str, int, int, int]]
_KEEP_SECONDS = 60.0
_MOST_NAMES = 1000


class Resolver:
    """Resolves names for every client of the crawl, so that no client can go round the policy."""

    def __init__(self, policy: AddressPolicy) -> None:
        self.policy = policy
        self._known: dict[tuple[str, int], tuple[float, list[AddrInfo]]] = {}

    async def resolve(self, host: str, port: int, *, judged: bool = True) -> list[AddrInfo]:
        """The addresses of *host* that may be connected to, as `socket.getaddrinfo` writes them.

        *judged* is False for the proxies that the user has set. Raises Failed("dns") when there are none,
        Failed("forbidden-address") when none is allowed.
        """
        expiry, infos = self._known.get((host, port), (0.0, []))
        if expiry < monotonic():
            infos = await self._look_up(host, port)
            if len(self._known) >= _MOST_NAMES:
                self._known.clear()
            self._known[host, port] = monotonic() + _KEEP_SECONDS, infos
        if not judged:
            return infos
        admitted = set(self.policy.admit(host, [info[4][0] for info in infos]))
        return [info for info in infos if info[4][0] in admitted]

    async def _look_up(self, host: str, port: int) -> list[AddrInfo]:
        try:
            infos = await asyncio.get_running_loop().getaddrinfo(
                host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP
            )
        except (OSError, UnicodeError) as error:
            raise Failed("dns", f"{host} was not found: {in_words(error)}") from error
        if not infos:
            raise Failed("dns", f"{host} has no address")
        return [(int(f), int(t), p, name, address) for f, t, p, name, address in infos]  # type: ignore[misc]  # AF_INET
