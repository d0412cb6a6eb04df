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

from picspider.errors import in_words
from picspider.feeds import FEEDS
from picspider.feeds.view import View
from picspider.output_folder import PARTIAL_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.extensions.feedexport import FeedSlot
    from typing_extensions import Self

logger = logging.getLogger(__name__)

FAILED = "feedexport/failed_count"


def feeds_failed(stats: Mapping[str, Any]) -> bool:
    """Whether a feed could not be written, by Scrapy's *stats*."""
    return any(name.startswith(FAILED) for name in stats)


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
        """One feed after the other: that one cannot be written (a full disk, a folder of its `-o` that cannot be made)
        is no reason for the others to stay away.
        """
        view = View.of(spider.store.connection)
        slots, self.slots = self.slots, []
        written = []
        for slot in slots:
            if not slot.filter.item_classes:
                slot.filter.item_classes = (FEEDS["pictures"][0],)
            self.slots = [slot]
            try:
                self._export(view, spider)
            except OSError as exc:
                self._tell_failed(slot, exc)
            else:
                written += self.slots  # a feed in batches has gone on to its next file
        self.slots = written

    async def _close_slot(self, slot: FeedSlot, spider: Spider) -> None:
        """Scrapy tells a failure to store the file, but loses one to write its last lines."""
        try:
            await super()._close_slot(slot, spider)
        except OSError as exc:
            self._tell_failed(slot, exc)

    def _tell_failed(self, slot: FeedSlot, exc: OSError) -> None:
        logger.error("Error writing the feed %s: %s", slot.uri, in_words(exc))
        self.crawler.stats.inc_value(f"{FAILED}/{type(slot.storage).__name__}")

    def _export(self, view: View, spider: Any) -> None:
        wanted = self.slots[0].filter.item_classes
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
