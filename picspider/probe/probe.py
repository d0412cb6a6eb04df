"""Single URLs fetched as a crawl would, one after the other: for the commands that look before anything is crawled.

The same headers, cookies, login, proxy, robots.txt, address check, retries and redirects as in the crawl itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

import scrapy

from picspider.answers import page_of, page_trouble
from picspider.errors import Failed
from picspider.fetch.classify import classify
from picspider.fetch.middlewares.robots import Robots
from picspider.pictures.inspect import sniff
from picspider.propose.walk import OutOfBudgetError
from picspider.visit import Note, attach

if TYPE_CHECKING:
    from scrapy.http import Response

    from picspider.links.page import Page

MOST_PAGES = 25
MOST_HEADS = 60
HEAD_BYTES = 1 << 16
_TOTAL = re.compile(rb"bytes \d+-\d+/(\d+)")


@dataclass(frozen=True, slots=True)
class Head:
    """What the first bytes of a file say: 0 × 0 when no size is in them, format "" when it is no picture."""

    format: str
    width: int
    height: int
    size_bytes: int | None


class _Seen(Exception):
    """Raised by the judge: the first bytes are here, and the rest is not wanted."""

    def __init__(self, head: bytes, declared_bytes: int | None) -> None:
        super().__init__()
        self.head = head
        self.declared_bytes = declared_bytes


@dataclass(slots=True)
class Probe:
    """Hands out pages and the heads of pictures; each URL is fetched once. `left` pages may still be asked for."""

    crawler: scrapy.crawler.Crawler
    left: int = MOST_PAGES
    heads_left: int = MOST_HEADS
    pages: dict[str, Page | Failed] = field(default_factory=dict)
    heads: dict[str, Head | Failed] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)

    @property
    def pages_left(self) -> int:
        """How many pages may still be asked for."""
        return self.left

    async def page(self, url: str, parent_url: str | None = None) -> Page:
        """The page at *url*. Raises Failed, and OutOfBudgetError."""
        if url not in self.pages:
            if self.left <= 0:
                raise OutOfBudgetError
            self.left -= 1
            self.pages[url] = await self._fetched_page(url, parent_url)
        found = self.pages[url]
        if isinstance(found, Failed):
            raise found
        return found

    async def head(self, url: str, parent_url: str | None = None) -> Head:
        """The head of the picture at *url*, by a Range request cut short. Raises Failed, and OutOfBudgetError."""
        if url not in self.heads:
            if self.heads_left <= 0:
                raise OutOfBudgetError
            self.heads_left -= 1
            self.heads[url] = await self._fetched_head(url, parent_url)
        found = self.heads[url]
        if isinstance(found, Failed):
            raise found
        return found

    async def robots_refusal(self, url: str) -> Failed | None:
        """Why robots.txt forbids *url*; None when it does not, or is not obeyed."""
        chain = self.crawler.engine.downloader.middleware.middlewares
        robots = next((middleware for middleware in chain if isinstance(middleware, Robots)), None)
        try:
            waiting = robots.process_request(scrapy.Request(url)) if robots is not None else None
            if waiting is not None:
                await waiting
        except Failed as failed:
            return failed
        return None

    async def _fetched_page(self, url: str, parent_url: str | None) -> Page | Failed:
        try:
            response = await self._response(scrapy.Request(url), Note(parent_url=parent_url))
        except Failed as failed:
            return failed
        return page_trouble(response) or page_of(response)

    async def _fetched_head(self, url: str, parent_url: str | None) -> Head | Failed:
        request = scrapy.Request(url, headers={"Range": f"bytes=0-{HEAD_BYTES - 1}"})
        try:
            response = await self._response(request, Note(kind="picture", parent_url=parent_url))
        except _Seen as seen:
            return _head(seen.head, seen.declared_bytes)
        except Failed as failed:
            return failed
        if response.status not in (200, 206):
            return Failed("http", f"the server answered with status {response.status}", status=response.status)
        total = _TOTAL.match(response.headers.get(b"Content-Range") or b"")
        return _head(response.body, int(total[1]) if total else len(response.body))

    async def _response(self, request: scrapy.Request, note: Note) -> Response:
        engine = self.crawler.engine
        started = monotonic()
        try:
            return await engine.download_async(attach(request, note))
        except _Seen:
            raise
        except Exception as error:  # whatever it is, it is told as the crawl would tell it
            raise classify(error) from error
        finally:
            self.seconds.append(monotonic() - started)


def _head(body: bytes, size_bytes: int | None) -> Head:
    seen = sniff(body)
    return Head("", 0, 0, size_bytes) if seen is None else Head(seen.format, seen.width, seen.height, size_bytes)


def cut_short(request: scrapy.Request, head: bytes, declared_bytes: int | None) -> None:
    """Cut a picture short where the server does not know Range."""
    if b"Range" in request.headers and (declared_bytes is None or declared_bytes > HEAD_BYTES):
        raise _Seen(head, declared_bytes)
