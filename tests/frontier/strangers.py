"""Components of other people, as they meet our crawls: some refuse, some raise."""

from __future__ import annotations

import os
from pathlib import Path
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


class Breaker:
    """A pipeline that damages the crawl store which the variable BREAKS names, when it sees 20.jpg."""

    def process_item(self, item: Any) -> Any:
        """Overwrites all but the beginning of the file, and empties its log."""
        if item.url.endswith("/20.jpg"):
            file = Path(os.environ["BREAKS"])
            with file.open("r+b") as stream:
                stream.seek(100)
                stream.write(b"\xab" * (file.stat().st_size - 100))
            file.with_name(f"{file.name}-wal").write_bytes(b"")
        return item
