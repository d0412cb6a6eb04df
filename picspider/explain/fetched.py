"""One page, fetched as the crawl would: with its headers, cookies, login, proxy and robots.txt."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import scrapy
from scrapy.http import Response

from picspider.errors import Failed, StoreError
from picspider.explain.gate import Refusal
from picspider.fetch import MIDDLEWARES
from picspider.fetch.classify import classify
from picspider.fetch.robots import Robots
from picspider.links.page import Page
from picspider.settings_bridge import apply_settings, output_folder
from picspider.visit import Note, attach

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from picspider.config.model import SiteConfig

# Nothing is kept of this little crawl, and only its trouble is told.
_QUIET: dict[str, Any] = {"FEEDS": {}, "ITEM_PIPELINES": {}, "PICSPIDER_STORE": "sqlite://", "LOG_LEVEL": "ERROR"}


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page, or why there is none; and whether robots.txt forbids the URL in question."""

    page: Page | Refusal
    robots: Refusal | None


class _Looker(scrapy.Spider):
    name = "explain"
    page_url: str
    url: str
    fetched: Fetched | None = None

    async def start(self) -> AsyncIterator[Any]:
        """Ask, and keep the answer."""
        robots = await self._robots_refusal()
        page = await self._page()
        self.fetched = Fetched(page, robots)
        nothing: tuple[scrapy.Request, ...] = ()
        for request in nothing:
            yield request

    async def _page(self) -> Page | Refusal:
        assert self.crawler.engine is not None
        try:
            request: scrapy.Request = attach(scrapy.Request(self.page_url), Note())
            response: Response = await self.crawler.engine.download_async(request)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told as the crawl would tell it
            return Refusal.of(classify(error))
        if response.status != 200:
            return Refusal("http", f"the server answered with status {response.status}")
        content_type = response.headers.get(b"Content-Type", b"") or b""
        return Page(response.url, response.body, content_type=content_type.decode("latin-1"))

    async def _robots_refusal(self) -> Refusal | None:
        assert self.crawler.engine is not None
        chain = self.crawler.engine.downloader.middleware.middlewares
        robots = next((middleware for middleware in chain if isinstance(middleware, Robots)), None)
        if robots is None:
            return None
        try:
            waiting = robots.process_request(scrapy.Request(self.url))
            if waiting is not None:
                await waiting
        except Failed as failed:
            return Refusal.of(failed)
        return None


def fetch_page(config: SiteConfig, page_url: str, url: str) -> Fetched:
    """Fetch *page_url*, and ask the robots.txt of *url* about it. Raises `StoreError` when that could not start."""
    from scrapy.crawler import AsyncCrawlerProcess  # noqa: PLC0415 - slow to import, and only for this
    from scrapy.utils.project import get_project_settings  # noqa: PLC0415 - as above

    os.environ["SCRAPY_SETTINGS_MODULE"] = "picspider.settings"
    settings = get_project_settings()
    apply_settings(settings, config, output_folder(config), (), MIDDLEWARES)
    settings.setdict(_QUIET, priority="cmdline")
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(_Looker)
    process.crawl(crawler, page_url=page_url, url=url)
    process.start()
    fetched = getattr(crawler.spider, "fetched", None)
    if not isinstance(fetched, Fetched):
        raise StoreError(f"{page_url} could not be fetched; the reason stands above")
    return fetched
