"""A site of several servers and the middlewares in front of it, joined as Scrapy's engine joins them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from scrapy import Request, Spider
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from picspider.fetch import MIDDLEWARES
from picspider.fetch.downloader import Downloader
from picspider.visit import Note, attach

DEFAULTS: dict[str, Any] = {
    "DOWNLOAD_HANDLERS": dict.fromkeys(("http", "https"), "picspider.fetch.handler.PictureHandler"),
    "DOWNLOADER_MIDDLEWARES_BASE": MIDDLEWARES,
    "DOWNLOAD_DELAY_JITTER": 0,
    "PICSPIDER_ALLOW_PRIVATE_ADDRESSES": True,
    "PICSPIDER_USER_AGENT": "tester",
    "ROBOTSTXT_OBEY": False,
    "PICSPIDER_BACKOFF_MAX": 0.05,
}


class Engine:
    """Does with the downloader what Scrapy's engine does: a request that comes back is fetched in turn."""

    def __init__(self, **settings: object) -> None:
        self.crawler = get_crawler(Spider, {**DEFAULTS, **settings})
        self.crawler.spider = self.crawler._create_spider("test")
        self.crawler.engine = self  # type: ignore[assignment]  # as far as the middlewares look
        self.downloader = Downloader(self.crawler)

    async def download_async(self, request: Request) -> Response:
        """The response at the end of all redirects and retries."""
        while True:
            got = await self.downloader.fetch(request).asFuture(asyncio.get_running_loop())
            if isinstance(got, Response):
                got.request = got.request or request
                return got
            request = got

    async def get(self, url: str, note: Note | None = None, **request: Any) -> Response:  # Request's own
        """The response to a visit of *url*."""
        return await self.download_async(attach(Request(url, **request), note or Note(kind="picture")))

    async def close(self) -> None:
        """What the engine does at the end."""
        self.downloader.close()
        await self.downloader.handlers._close()


Engines = Callable[..., Engine]
Crawl = Callable[[Callable[[Engines], Awaitable[None]]], None]
