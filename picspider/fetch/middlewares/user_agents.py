"""The User-Agent, by scrapy-fake-useragent: one agent for a host and run, as a visitor's browser has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from picspider.urls import host_key

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from picspider.fetch.middlewares.agent_provider import Chooser


class UserAgents:
    """Sets the User-Agent of requests that have none.

    PICSPIDER_USER_AGENT is ``browser`` (one real browser's agent for each host and run), ``random`` (another one for
    each request), or the text to send. scrapy-fake-useragent 1.4.4 and its providers do the choosing
    (FAKEUSERAGENT_PROVIDERS; the fallback sends USER_AGENT); it is loaded when the first agent is needed.
    """

    def __init__(self, agent: str, crawler: Crawler) -> None:
        self._mode = agent
        self._crawler = crawler
        self._fixed = None if agent in ("browser", "random") else agent.encode()
        self._chooser: Chooser | None = None
        self._of_host: dict[str, bytes] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> UserAgents:
        """As Scrapy builds its components."""
        return cls(crawler.settings.get("PICSPIDER_USER_AGENT") or "browser", crawler)

    def process_request(self, request: Request) -> None:
        """Set the header."""
        headers: dict[bytes, list[bytes]] = request.headers
        if dict.__contains__(headers, b"User-Agent"):
            return
        agent = self._fixed
        if agent is None and self._mode == "random":
            agent = self._chosen()
        if agent is None:
            host = host_key(request.url)
            agent = self._of_host.get(host)
            if agent is None:
                agent = self._of_host[host] = self._chosen()
        dict.__setitem__(headers, b"User-Agent", [agent])

    def _chosen(self) -> bytes:
        if self._chooser is None:
            from picspider.fetch.middlewares.agent_provider import Chooser  # noqa: PLC0415  # costs 0.1 s to import

            self._chooser = Chooser(self._crawler)
        return self._chooser.choose().encode()
