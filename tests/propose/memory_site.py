from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from picspider.errors import Failed
from picspider.links.page import Page
from picspider.pictures.inspect import sniff
from picspider.propose.walk import OutOfBudgetError, PictureHead
from tests.sites.site import Site

BASE = "https://site.example"


@dataclass(frozen=True)
class Head:
    """What the first bytes say."""

    format: str
    width: int
    height: int


@dataclass
class MemorySite:
    """A `picspider.propose.walk.Site` over the files of a made site; notes what was asked for."""

    site: Site
    pages_left: int = 25
    asked: list[str] = field(default_factory=list)
    parents: dict[str, str | None] = field(default_factory=dict)

    async def page(self, url: str, parent_url: str | None = None) -> Page:
        """The page at *url*."""
        if self.pages_left <= 0:
            raise OutOfBudgetError
        self.pages_left -= 1
        self.asked.append(url)
        self.parents[url] = parent_url
        return Page(url, self._body(url))

    async def head(self, url: str, parent_url: str | None = None) -> PictureHead:
        """The first bytes of the picture at *url*."""
        self.parents[url] = parent_url
        seen = sniff(self._body(url)[:65536])
        return Head(seen.format, seen.width, seen.height) if seen is not None else Head("", 0, 0)

    def _body(self, url: str) -> bytes:
        parts = urlsplit(url)
        body = self.site.files.get(unquote(parts.path) + (f"?{parts.query}" if parts.query else ""))
        if body is None:
            raise Failed("http", "the server answered with status 404", status=404)
        return body


def page(body: str, url: str = BASE + "/") -> Page:
    """A page with this body."""
    return Page(url, f"<!doctype html><html><body>{body}</body></html>".encode())
