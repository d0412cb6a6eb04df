"""Single URLs fetched as a crawl would, one after the other: for the commands that look before anything is crawled.

The same headers, cookies, login, proxy, robots.txt, address check, retries and redirects as in the crawl itself.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import scrapy

from picspider.errors import Failed, PicspiderError, StoreError
from picspider.failures import REASONS
from picspider.fetch import MIDDLEWARES
from picspider.fetch.classify import classify
from picspider.fetch.early_stop import set_judge
from picspider.pictures.inspect import sniff
from picspider.propose.walk import OutOfBudgetError
from picspider.settings_bridge import apply_settings, output_folder
from picspider.spiders.crawl import page_of, page_trouble
from picspider.visit import Note, attach

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from scrapy.http import Response

    from picspider.config.model import Crawl
    from picspider.links.page import Page

MOST_PAGES = 25
MOST_HEADS = 60
HEAD_BYTES = 1 << 16
_TOTAL = re.compile(rb"bytes \d+-\d+/(\d+)")
# Nothing is kept of these few requests, and only their trouble is told, by whoever asked for them.
_QUIET: dict[str, Any] = {
    "FEEDS": {},
    "ITEM_PIPELINES": {},
    "EXTENSIONS": {"picspider.fetch.login.LoginFirst": 0},
    "PICSPIDER_STORE": "sqlite://",
    "LOG_LEVEL": "CRITICAL",
    "DOWNLOAD_TIMEOUT": 20,
    "RETRY_TIMES": 1,
}

T = TypeVar("T")


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
        assert engine is not None
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


def _judge(request: scrapy.Request, head: bytes, declared_bytes: int | None) -> None:
    """Cut a picture short where the server does not know Range."""
    if b"Range" in request.headers and (declared_bytes is None or declared_bytes > HEAD_BYTES):
        raise _Seen(head, declared_bytes)


class _Prober(scrapy.Spider):
    name = "probe"
    plan: Callable[[Probe], Awaitable[Any]]
    most_pages: int
    answer: Any = None
    trouble: BaseException | None = None

    async def start(self) -> AsyncIterator[Any]:
        """Carry out the plan, and keep its answer."""
        set_judge(self.crawler, _judge)
        try:
            self.answer = await self.plan(Probe(self.crawler, self.most_pages))
        except Exception as error:  # noqa: BLE001 - raised again where the plan was given
            self.trouble = error
        nothing: tuple[scrapy.Request, ...] = ()
        for request in nothing:
            yield request


def told(url: str, failed: Failed) -> str:
    """That *url* could not be had: what happened and, unless that says it all, what to do."""
    advice = "" if failed.reason == "http" else f". {REASONS[failed.reason].advice}"
    return f"{url}: {failed.message}{advice}"


def probed(config: Crawl, plan: Callable[[Probe], Awaitable[T]], most_pages: int = MOST_PAGES) -> T:
    """What *plan* makes of the site of *config*. Once in a process, as Scrapy's event loop cannot be started again.

    Raises what the plan raises, and StoreError when it could not start.
    """
    from scrapy.crawler import AsyncCrawlerProcess  # noqa: PLC0415 - slow to import, and only for this
    from scrapy.utils.project import get_project_settings  # noqa: PLC0415 - as above

    os.environ["SCRAPY_SETTINGS_MODULE"] = "picspider.settings"
    settings = get_project_settings()
    apply_settings(settings, config, output_folder(config), (), MIDDLEWARES)
    settings.setdict(_QUIET, priority="cmdline")
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(_Prober)
    process.crawl(crawler, plan=plan, most_pages=most_pages)
    process.start()
    spider = crawler.spider
    if not isinstance(spider, _Prober) or (spider.answer is None and spider.trouble is None):
        raise StoreError("the site could not be asked")
    if isinstance(spider.trouble, Failed):
        raise PicspiderError(told(config.entry[0], spider.trouble)) from spider.trouble
    if spider.trouble is not None:
        raise spider.trouble
    answer: T = spider.answer
    return answer
