"""A plan carried out on a site: Scrapy is started for it, set up as for a crawl, and nothing is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import scrapy

from picspider.errors import Failed, Interrupted, PicspiderError
from picspider.failures import REASONS
from picspider.fetch import MIDDLEWARES
from picspider.fetch.client.early_stop import set_judge
from picspider.probe.probe import MOST_PAGES, Probe, cut_short
from picspider.process import project_settings, start_process
from picspider.settings_bridge import apply_settings, output_folder

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from picspider.config.model import Crawl

# Nothing is kept of these few requests, and their trouble is told by whoever asked for them.
_QUIET: dict[str, Any] = {
    "FEEDS": {},
    "ITEM_PIPELINES": {},
    "EXTENSIONS": {"picspider.fetch.login.LoginFirst": 0},
    "PICSPIDER_STORE": "sqlite://",
    "LOG_LEVEL": "ERROR",
}
# Where many pages are asked for, one that does not come is soon left alone.
_HASTY: dict[str, Any] = {"DOWNLOAD_TIMEOUT": 20, "RETRY_TIMES": 1}

T = TypeVar("T")


class _Prober(scrapy.Spider):
    name = "probe"
    plan: Callable[[Probe], Awaitable[Any]]
    most_pages: int
    answer: Any = None
    trouble: BaseException | None = None

    async def start(self) -> AsyncIterator[Any]:
        """Carry out the plan, and keep its answer."""
        set_judge(self.crawler, cut_short)
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

    A plan of one page is as patient as the crawl. Raises what the plan raises, Interrupted after Ctrl-C, and
    PicspiderError when the site could not be asked at all, as the login failed.
    """
    settings = project_settings()
    apply_settings(settings, config, output_folder(config), (), MIDDLEWARES)
    settings.setdict(_QUIET if most_pages == 1 else {**_QUIET, **_HASTY}, priority="cmdline")
    crawler = start_process(settings, _Prober, {"plan": plan, "most_pages": most_pages})
    spider = crawler.spider
    if not isinstance(spider, _Prober) or crawler.stats.get_value("finish_reason") in (None, "shutdown"):
        raise Interrupted
    if isinstance(spider.trouble, Failed):
        raise PicspiderError(told(config.entry[0], spider.trouble)) from spider.trouble
    if spider.trouble is not None:
        raise spider.trouble
    if spider.answer is None:
        raise PicspiderError("the site could not be asked; the reason stands above")
    answer: T = spider.answer
    return answer
