"""A log formatter that builds no line which nobody will read."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from scrapy.logformatter import LogFormatter

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.http import Response
    from scrapy.logformatter import LogFormatterResult

_engine = logging.getLogger("scrapy.core.engine")
_scraper = logging.getLogger("scrapy.core.scraper")


class QuietLogFormatter(LogFormatter):
    """As Scrapy's, but "Crawled" and "Scraped" are not made up unless debug messages are wanted."""

    def crawled(self, request: Request, response: Response, spider: Spider) -> LogFormatterResult | None:  # type: ignore[override]  # None is allowed: nothing is logged
        """The line for an answer."""
        return super().crawled(request, response, spider) if _engine.isEnabledFor(logging.DEBUG) else None

    def scraped(self, item: Any, response: Any, spider: Spider) -> LogFormatterResult | None:  # type: ignore[override]  # as above
        """The line for an item."""
        return super().scraped(item, response, spider) if _scraper.isEnabledFor(logging.DEBUG) else None
