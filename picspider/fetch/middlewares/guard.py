"""What is refused before anything is sent: other schemes, other hosts, private addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from picspider.errors import Failed
from picspider.fetch.addresses import AddressPolicy
from picspider.fetch.hosts import HostList
from picspider.fetch.origin import split
from picspider.visit import note_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler


class Guard:
    """Raises Failed("scheme", "offsite", "forbidden-address", "bad-url") for requests of the crawl.

    Settings: PICSPIDER_ALLOWED_HOSTS, and those of `AddressPolicy`. What a name resolves to is judged when the
    connection is made; here only addresses that are written out.
    """

    def __init__(self, allowed_hosts: HostList | None, addresses: AddressPolicy) -> None:
        self._allowed_hosts = allowed_hosts
        self._addresses = addresses
        self._verdicts: dict[str, Failed | None] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Guard:
        """As Scrapy builds its components."""
        hosts = crawler.settings.get("PICSPIDER_ALLOWED_HOSTS")
        return cls(None if hosts is None else HostList(hosts), AddressPolicy.from_settings(crawler.settings))

    def process_request(self, request: Request) -> None:
        """Raise for a URL that must not be asked."""
        if note_of(request) is None and request.url.startswith("http"):
            return
        server, _ = split(request.url)
        key = server.key
        if key not in self._verdicts:
            self._verdicts[key] = self._judged(server.host, server.port)
        verdict = self._verdicts[key]
        if verdict is not None:
            raise Failed(verdict.reason, verdict.message)

    def _judged(self, host: str, port: int) -> Failed | None:
        if self._allowed_hosts is not None and not self._allowed_hosts.has(host, port):
            return Failed("offsite", f"{host} is not among the allowed hosts")
        try:
            self._addresses.admit_name(host)
        except Failed as failed:
            return failed
        return None
