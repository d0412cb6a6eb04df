"""The progress display as a Scrapy extension. PICSPIDER_PROGRESS (`live` or `plain`) switches it on."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import NotConfigured
from sqlalchemy.exc import SQLAlchemyError

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from picspider.progress.display import Display

logger = logging.getLogger(__name__)

TICK_SECONDS = 1.5


class Progress:
    """Shows how the crawl stands, every second or two. The crawl never waits for it: a thread counts."""

    def __init__(self, crawler: Crawler, mode: str) -> None:
        self._crawler = crawler
        self._mode = mode
        self._task: asyncio.Task[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured when nobody looks."""
        mode = crawler.settings.get("PICSPIDER_PROGRESS")
        if not mode or not getattr(crawler.spider, "reads_notes", False):
            raise NotConfigured
        progress = cls(crawler, mode)
        crawler.signals.connect(progress.start, signals.engine_started)
        crawler.signals.connect(progress.stop, signals.spider_closed)
        return progress

    def start(self) -> None:
        """Begin to look."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """The crawl is over; what the display took is given back."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        # rich is imported by the first display only
        from picspider.progress.display import DISPLAYS  # noqa: PLC0415
        from picspider.progress.snapshot import Counting, Observer  # noqa: PLC0415

        names = tuple(self._crawler.settings.get("PICSPIDER_LAYERS") or ())
        spider: Any = self._crawler.spider
        counting = Counting(spider.store.engine, names)
        observer = Observer(self._crawler, counting, len(names))
        display: Display = DISPLAYS[self._mode]()
        try:
            while True:
                await asyncio.sleep(TICK_SECONDS)
                if counting.is_due:
                    await asyncio.to_thread(counting.count)
                display.show(observer.look())
        except SQLAlchemyError as exc:
            logger.warning("The progress cannot be shown any more: %s", exc)
        finally:
            display.close()
