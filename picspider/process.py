"""Scrapy started in this process: the project's settings, one spider, to its end."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.settings import Settings


def project_settings() -> Settings:
    """Those of `picspider.settings`, wherever this process was started."""
    from scrapy.utils.project import get_project_settings  # noqa: PLC0415 - slow to import; most commands go without

    os.environ["SCRAPY_SETTINGS_MODULE"] = "picspider.settings"
    return get_project_settings()


def start_process(
    settings: Settings,
    spider: str | type[Spider],
    arguments: dict[str, Any],
    *,
    set_up_logging: Callable[[], object] | None = None,
) -> Crawler:
    """Run *spider* with *arguments* to its end; its crawler, whose spider is None when it was interrupted that early.

    Once in a process: Scrapy's event loop cannot be started again. *set_up_logging* is called when Scrapy has done so.
    Raises what stops it before it starts.
    """
    from scrapy.crawler import AsyncCrawlerProcess  # noqa: PLC0415 - as above

    process = AsyncCrawlerProcess(settings)
    if set_up_logging is not None:
        set_up_logging()
    crawler = process.create_crawler(spider)
    crawl = process.crawl(crawler, **arguments)
    # What stops a crawl before it starts is raised below; asyncio would print its traceback as well.
    crawl.add_done_callback(lambda task: task.cancelled() or task.exception())
    process.start()
    trouble = crawl.exception() if crawl.done() and not crawl.cancelled() else None
    if trouble is not None:
        raise trouble
    return crawler
