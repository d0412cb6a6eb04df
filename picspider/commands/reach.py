"""Whether a site can be reached at all, in plain words."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from picspider.errors import Failed
from picspider.failures import REASONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from picspider.probe.probe import Probe

# What a status says of an entry page; of any other failure the reason's own advice is as good.
_STATUS = {
    401: "It wants a user name and a password (see fetch.auth).",
    403: "It refuses: perhaps it wants cookies, a Referer or another user agent.",
    404: "The page is not there: the entry has moved.",
    429: "It has had too many requests: set fetch.delay.",
    503: "It is overloaded, or a guard against programs is in the way.",
}


@dataclass(frozen=True, slots=True)
class Reach:
    """How the entry page answered. `addresses`: what the host's name stands for; `failed`: why there is no page."""

    url: str
    addresses: tuple[str, ...]
    seconds: float
    failed: Failed | None


async def reach(probe: Probe, url: str) -> Reach:
    """Ask for the entry page *url*."""
    addresses = await _addresses(urlsplit(url).hostname or "")
    failed = None
    try:
        await probe.page(url)
    except Failed as error:
        failed = error
    return Reach(url, addresses, probe.seconds[-1] if probe.seconds else 0.0, failed)


async def _addresses(host: str) -> tuple[str, ...]:
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return ()
    return tuple(dict.fromkeys(str(info[4][0]) for info in found))


def words(reached: Reach, *, obeys_robots: bool) -> Iterator[str]:
    """The same for a person."""
    parts = urlsplit(reached.url)
    addresses = ", ".join(reached.addresses[:3])
    named = (
        addresses if addresses == parts.hostname else f"{parts.hostname} is {addresses or 'not known by any address'}"
    )
    yield f"Host      {named}"
    failed = reached.failed
    if failed is None:
        secure = "the certificate is good, " if parts.scheme == "https" else ""
        robots = "robots.txt allows it" if obeys_robots else "robots.txt was not asked"
        yield f"Answer    200 after {reached.seconds:.2f} s; {secure}{robots}"
        return
    advice = _STATUS.get(failed.status or 0) or REASONS[failed.reason].advice
    yield f"Answer    none that helps: {failed.message}. {advice}"
