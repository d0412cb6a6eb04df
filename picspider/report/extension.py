"""report.html at the end of every run."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import NotConfigured
from sqlalchemy.exc import SQLAlchemyError

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

logger = logging.getLogger(__name__)


class ReportWriter:
    """Scrapy extension; only for picspider's own spiders. It stands after `Ending`, whose line in the table of runs
    it shows. PICSPIDER_REPORT = False switches it off.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured for other spiders."""
        if not getattr(crawler.spider, "reads_notes", False) or not crawler.settings.getbool("PICSPIDER_REPORT", True):
            raise NotConfigured
        writer = cls()
        crawler.signals.connect(writer.close, signals.spider_closed)
        return writer

    def close(self, spider: Any, reason: str) -> None:
        """Write the report; a run is not spoilt when that cannot be done. Of several workers the last one writes it."""
        if spider.store.broken or not spider.store.leave():
            return
        from picspider.report.html import write_report  # noqa: PLC0415 - a run starts without the template engine

        try:
            with spider.store.engine.connect() as connection:
                suspects = spider.result.suspects if reason != "shutdown" else None
                path = write_report(connection, spider.output, suspects=suspects)
        except (OSError, SQLAlchemyError) as exc:
            logger.error("The report could not be written: %s", exc)  # noqa: TRY400 - one line says it
            return
        logger.info("Report: %s", path)
