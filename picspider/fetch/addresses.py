"""Which network addresses a crawl may connect to, checked at connect time, so that neither a link, nor a redirect,
nor a name server can lead a public crawl into the machines behind the firewall (server-side request forgery).
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from picspider.errors import Failed

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

_NAT64 = ipaddress.ip_network("64:ff9b::/96")


@lru_cache(maxsize=4096)
def is_public(address: str) -> bool:
    """Whether *address* (an IPv4 or IPv6 literal) is an ordinary host of the open internet.

    Not public are loopback, private, link-local (with the cloud metadata services), carrier-grade NAT, multicast,
    reserved and unspecified addresses (IANA special-purpose registries, RFC 6890), also inside IPv6 wrappings.
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour
        if inner is None and ip in _NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def is_literal(host: str) -> bool:
    """Whether *host* is an address rather than a name."""
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


class AddressPolicy:
    """Lets through public addresses, and those that the config's entry names itself.

    `allowed` are host names or addresses that are allowed as given, and so is what such a name resolves to: an entry
    on a private address allows that address itself, on every port.
    """

    def __init__(self, allowed: Iterable[str] = (), *, allow_private: bool = False) -> None:
        self.allow_private = allow_private
        self._allowed = {host.lower() for host in allowed}

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> AddressPolicy:
        """From PICSPIDER_ALLOWED_ADDRESSES (hosts; None: everything is allowed, for spiders without a config)
        and PICSPIDER_ALLOW_PRIVATE_ADDRESSES.
        """
        allowed = settings.get("PICSPIDER_ALLOWED_ADDRESSES")
        allow_private = allowed is None or settings.getbool("PICSPIDER_ALLOW_PRIVATE_ADDRESSES")
        return cls(allowed or (), allow_private=allow_private)

    def admit(self, host: str, addresses: Iterable[str]) -> list[str]:
        """Those of *addresses*, which *host* resolved to, that may be connected to.

        Raises Failed("forbidden-address") when none may.
        """
        found = list(addresses)
        if self.allow_private:
            return found
        if host.lower() in self._allowed:
            self._allowed.update(found)
            return found
        admitted = [address for address in found if is_public(address) or address in self._allowed]
        if found and not admitted:
            raise Failed("forbidden-address", f"{host} is at {found[0]}, which is not a public address")
        return admitted

    def admit_name(self, host: str) -> None:
        """Judge what can be judged without resolving *host*: for requests that a proxy resolves.

        Raises Failed("forbidden-address") for a private address written out, and for localhost.
        """
        if is_literal(host):
            self.admit(host, [host])
        elif host == "localhost" or host.endswith(".localhost"):
            self.admit(host, ["127.0.0.1"])
