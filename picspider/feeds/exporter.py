"""Scrapy's feed export, fed from the store when the crawl ends.

A feed written while the crawl runs is invalid JSON after a resume and lacks what the next run finds; a view of the
store is whole every time. URIs, formats, storages and `item_classes` are Scrapy's own; a feed without `item_classes`
(such as that of `-o file.csv`) gets the pictures.
"""

from __future__ import annotations

import logging
import os
from typing import IO, TYPE_CHECKING, Any

from scrapy import signals
from scrapy.extensions.feedexport import FeedExporter, FileFeedStorage

from picspider.feeds import FEEDS
from picspider.feeds.view import View
from picspider.output_folder import PARTIAL_SUFFIX

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from typing_extensions import Self

logger = logging.getLogger(__name__)


class StoreFeedExporter(FeedExporter):
    """Replaces FeedExporter for picspider's spiders; any other spider's items are exported the stock way."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """As the parent, but records come from the store rather than from `item_scraped`."""
        if not getattr(crawler.spider, "reads_notes", False):
            return super().from_crawler(crawler)
        exporter = cls(crawler)
        crawler.signals.connect(exporter.close_spider, signals.spider_closed)
        return exporter

    async def close_spider(self, spider: Any) -> None:
        """Write every feed from the store, as Scrapy opens and closes them.

        Of several workers, which may share an output folder, the last one does; those of the last run stay if the
        store is broken.
        """
        if getattr(spider, "reads_notes", False):
            if spider.store.broken or not spider.store.leave():
                return
            self.open_spider(spider)
            self._export_store(spider)
        await super().close_spider(spider)

    def _export_store(self, spider: Any) -> None:
        default = FEEDS["pictures"][0]
        for slot in self.slots:
            if not slot.filter.item_classes:
                slot.filter.item_classes = (default,)
        wanted = {kind for slot in self.slots for kind in slot.filter.item_classes}
        view = View.of(spider.store.connection)
        for kind, records in FEEDS.values():
            if kind in wanted:
                for record in records(view):
                    self.item_scraped(record, spider)


class AtomicFileFeedStorage(FileFeedStorage):
    """A feed on disk appears under its name only when it is whole; the one of the last run stays until then."""

    def open(self, spider: Spider) -> IO[bytes]:
        """Open a file beside the final one."""
        if self.write_mode != "wb":
            return super().open(spider)
        folder = os.path.dirname(self.path)
        if folder:
            os.makedirs(folder, exist_ok=True)
        return open(f"{self.path}{PARTIAL_SUFFIX}", "wb")

    def store(self, file: IO[bytes]) -> None:
        """Close *file* and give it its name."""
        file.close()
        if self.write_mode == "wb":
            os.replace(f"{self.path}{PARTIAL_SUFFIX}", self.path)
