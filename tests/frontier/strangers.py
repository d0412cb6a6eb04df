"""Components of other people, as they meet our crawls: some refuse, some raise."""

from __future__ import annotations

from typing import Any

from scrapy.exceptions import CloseSpider, DropItem, IgnoreRequest


class Dropper:
    """An item pipeline that drops one picture and fails on another."""

    def process_item(self, item: Any) -> Any:
        """Raises DropItem for drop.jpg and ValueError for raise.jpg."""
        if "drop.jpg" in item.url:
            raise DropItem("not wanted")
        if "raise.jpg" in item.url:
            raise ValueError("a fault in the pipeline")
        return item


class Refuser:
    """A downloader middleware that ignores one request and fails on another."""

    def process_request(self, request: Any) -> None:
        """Raises IgnoreRequest for ignore.jpg and ValueError for fault.jpg."""
        if "ignore.jpg" in request.url:
            raise IgnoreRequest("not wanted")
        if "fault.jpg" in request.url:
            raise ValueError("a fault in the middleware")


class Closer:
    """An item pipeline that closes the spider at the first picture."""

    def process_item(self, item: Any) -> Any:
        """Raises CloseSpider."""
        raise CloseSpider("enough")
