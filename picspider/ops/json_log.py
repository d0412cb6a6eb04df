"""The log for machines: one JSON object a line, beside the log for people."""

from __future__ import annotations

import json
import logging
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import NotConfigured

from picspider.ops.identity import identity_of, placed

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

logger = logging.getLogger(__name__)

STANDARD_OUTPUT = "-"
EXTRA_FIELDS = ("stats", "reason")


class JsonFormatter(logging.Formatter):
    """`time` (UTC), `level`, `logger`, `message`, `crawl`, `worker`; `exception` if there is one."""

    def __init__(self) -> None:
        super().__init__()
        self.identity: dict[str, str] = {}

    def format(self, record: logging.LogRecord) -> str:
        """One line. Line ends and control characters in messages are escaped by JSON."""
        fields: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, timezone.utc).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **self.identity,
        }
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        fields.update({name: value for name in EXTRA_FIELDS if (value := getattr(record, name, None)) is not None})
        return json.dumps(fields, ensure_ascii=True, default=str)


class JsonLog:
    """Scrapy extension: PICSPIDER_JSON_LOG names the file (`{crawl}` and `{worker}` are filled in), or `-` for standard
    output. The last line of a run holds its stats. With LOG_ENABLED = False it is the only log.
    """

    def __init__(self, crawler: Crawler, target: str) -> None:
        self._crawler, self._target = crawler, target
        self._formatter = JsonFormatter()
        self._handler: logging.Handler | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured when no file is named."""
        target = crawler.settings.get("PICSPIDER_JSON_LOG")
        if not target:
            raise NotConfigured
        log = cls(crawler, target)
        log.start()
        crawler.signals.connect(log.tell_stats, signals.spider_closed)
        crawler.signals.connect(log.stop, signals.engine_stopped)
        return log

    def start(self) -> None:
        """Begin to write. Raises NotConfigured when the file cannot be opened."""
        self._formatter.identity = identity_of(self._crawler)
        handler: logging.Handler = logging.StreamHandler(sys.stdout)
        if self._target != STANDARD_OUTPUT:
            path = Path(placed(self._target, self._formatter.identity))
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                handler = logging.FileHandler(path, encoding="utf-8")
            except OSError as exc:
                raise NotConfigured(f"PICSPIDER_JSON_LOG cannot be written: {exc}") from exc
        handler.setFormatter(self._formatter)
        handler.setLevel(self._crawler.settings.get("LOG_LEVEL") or "INFO")
        logging.root.addHandler(handler)
        # Without a log for people nobody has set the level yet.
        if logging.root.level == logging.WARNING:
            logging.root.setLevel(handler.level)
        self._handler = handler

    def tell_stats(self, reason: str) -> None:
        """The figures of the run, after all other parts have ended."""
        stats = self._crawler.stats.get_stats()
        logger.info("Run ended", extra={"stats": dict(stats), "reason": reason})

    def stop(self) -> None:
        """Close the file."""
        if self._handler is not None:
            logging.root.removeHandler(self._handler)
            self._handler.close()
