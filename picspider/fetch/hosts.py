"""Lists of hosts as people write them: names, with or without a port."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from picspider.urls import ascii_host

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


class HostList:
    """Hosts from a config: ``example.org`` stands for it and all below it, ``example.org:8080`` for just that port."""

    def __init__(self, entries: Iterable[str]) -> None:
        self._names: set[str] = set()
        self._ports: set[tuple[str, int]] = set()
        for entry in entries:
            parts = urlsplit(entry if "://" in entry else f"//{entry}")
            name = ascii_host((parts.hostname or "").removeprefix("*.").strip("."))
            if parts.port is None:
                self._names.add(name)
            else:
                self._ports.add((name, parts.port))

    def has(self, host: str, port: int) -> bool:
        """Whether *host* (lower case, no brackets) at *port* is on the list."""
        if (host, port) in self._ports or host in self._names:
            return True
        return any(host.endswith("." + name) for name in self._names)


class EntryHosts:
    """The servers that the config's secrets are for: exactly those of the entry.

    A server on port 80 stands also for its own https on 443, where sites like to move their visitors to.
    """

    def __init__(self, keys: Iterable[str]) -> None:
        self.keys = {key.lower() for key in keys}
        self.keys |= {f"{key[:-3]}:443" for key in self.keys if key.endswith(":80")}

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> EntryHosts:
        """From PICSPIDER_ENTRY_HOSTS, a list of "host:port"."""
        return cls(settings.getlist("PICSPIDER_ENTRY_HOSTS"))

    def __contains__(self, key: str) -> bool:
        return key in self.keys
