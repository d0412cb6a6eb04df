"""`picspider crawl`: the same as `scrapy crawl layered` (or `focused`), with an exit code that tells how it went."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from picspider.commands.exit_codes import ExitCode, exit_code
from picspider.config.load import load_any_config
from picspider.config.model import SiteConfig
from picspider.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Mapping


def crawl(
    source: str, overrides: Mapping[str, str], *, retry: str | None = None, settings: Mapping[str, Any] | None = None
) -> ExitCode:
    """Crawl the config *source*. Raises `PicspiderError` for what the user has to mend first."""
    config = load_any_config(source, overrides)
    spider = "layered" if isinstance(config, SiteConfig) else "focused"
    crawler = _run(spider, settings or {}, config=source, overrides=dict(overrides), retry=retry)
    if crawler.spider is None or crawler.stats is None or not crawler.stats.get_value("finish_reason"):
        raise StoreError("the crawl could not start; the reason stands above")
    store = crawler.spider.store
    layers = len(config.layers) if isinstance(config, SiteConfig) else 0
    with store.engine.connect() as connection:
        return exit_code(connection, str(crawler.stats.get_value("finish_reason")), layers)


def _run(spider: str, settings: Mapping[str, Any], **arguments: Any) -> Any:
    from scrapy.crawler import AsyncCrawlerProcess  # noqa: PLC0415 - Scrapy is slow to import; other commands go without
    from scrapy.utils.project import get_project_settings  # noqa: PLC0415 - as above

    os.environ["SCRAPY_SETTINGS_MODULE"] = "picspider.settings"
    project = get_project_settings()
    project.setdict(dict(settings), priority="cmdline")
    process = AsyncCrawlerProcess(project)
    crawler = process.create_crawler(spider)
    crawl = process.crawl(crawler, **arguments)
    # What stops a crawl before it starts is told in one line; asyncio would print its traceback as well.
    crawl.add_done_callback(lambda task: task.cancelled() or task.exception())
    process.start()
    return crawler
