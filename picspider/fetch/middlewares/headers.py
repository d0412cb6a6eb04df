"""The headers that a browser would send, and the config's own: secrets only where they belong."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from picspider.fetch.hosts import EntryHosts
from picspider.urls import host_key
from picspider.visit import note_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from picspider.visit import Note

_COMMON = {b"Accept-Language": b"en-US,en;q=0.8,*;q=0.5", b"Accept-Encoding": b"gzip, deflate, br, zstd"}
_PAGE = {b"Accept": b"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", **_COMMON}
# WebP and AVIF are not named: servers that convert on demand would send those instead of the original.
_PICTURE = {b"Accept": b"image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5", **_COMMON}
FOR_EVERYBODY = frozenset(
    name.encode()
    for name in (
        "Accept",
        "Accept-Encoding",
        "Accept-Language",
        "Cache-Control",
        "Dnt",
        "Origin",
        "Pragma",
        "Priority",
        "Referer",
        "Sec-Fetch-Dest",
        "Sec-Fetch-Mode",
        "Sec-Fetch-Site",
        "Sec-Fetch-User",
        "Sec-Gpc",
        "Te",
        "Upgrade-Insecure-Requests",
        "User-Agent",
    )
)
"""Headers that hold no secret; all others stay with the server that they were meant for."""


class RequestHeaders:
    """Sets the headers that a request does not have yet.

    Settings: PICSPIDER_HEADERS (dict; those that everybody may know go to every host, any other only to the
    entry's), PICSPIDER_REFERER (``parent``, ``origin``, ``none`` or a URL), PICSPIDER_AUTH (user and password, sent
    as Basic to the entry's hosts only), PICSPIDER_ENTRY_HOSTS.
    """

    def __init__(
        self,
        *,
        headers: Mapping[str, str],
        referer: str = "parent",
        auth: tuple[str, str] | None = None,
        entry_hosts: EntryHosts,
    ) -> None:
        own = {name.title().encode("latin-1"): str(value).encode() for name, value in headers.items()}
        public = {name: value for name, value in own.items() if name in FOR_EVERYBODY}
        secret = {name: value for name, value in own.items() if name not in FOR_EVERYBODY}
        if auth is not None:
            secret.setdefault(b"Authorization", b"Basic " + base64.b64encode(":".join(auth).encode()))
        self._page = tuple({**_PAGE, **public}.items())
        self._picture = tuple({**_PICTURE, **public}.items())
        self._secret = tuple(secret.items())
        self._referer = referer
        self._entry_hosts = entry_hosts

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RequestHeaders:
        """As Scrapy builds its components."""
        settings = crawler.settings
        return cls(
            headers=settings.getdict("PICSPIDER_HEADERS"),
            referer=settings.get("PICSPIDER_REFERER") or "parent",
            auth=settings.get("PICSPIDER_AUTH"),
            entry_hosts=EntryHosts.from_settings(settings),
        )

    def process_request(self, request: Request) -> None:
        """Fill in the headers of *request*."""
        note = note_of(request)
        # Names are in Scrapy's normal form already, so its costly normalising can be left out.
        headers: dict[bytes, list[bytes]] = request.headers
        for name, value in self._picture if note is not None and note.kind == "picture" else self._page:
            dict.setdefault(headers, name, [value])
        if note is not None and not dict.__contains__(headers, b"Referer"):
            referer = self._referer_for(request.url, note)
            if referer is not None:
                dict.__setitem__(headers, b"Referer", [referer])
        if self._secret and host_key(request.url) in self._entry_hosts:
            for name, value in self._secret:
                dict.setdefault(headers, name, [value])

    def _referer_for(self, url: str, note: Note) -> bytes | None:
        """The Referer by the config's rule; from https to http there is none (RFC 9110, 10.1.3)."""
        rule = note.referer or self._referer
        if rule == "none":
            return None
        if rule not in ("parent", "origin"):
            return rule.encode()
        parent = note.parent_url
        if parent is None or (parent.startswith("https:") and url.startswith("http:")):
            return None
        if rule == "parent" and "#" not in parent and "@" not in parent:
            return parent.encode()
        parts = urlsplit(parent)
        root = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
        query = f"?{parts.query}" if parts.query else ""
        return f"{root}/".encode() if rule == "origin" else f"{root}{parts.path}{query}".encode()
