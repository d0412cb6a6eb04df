"""Metrics for Prometheus in a text file, as node_exporter's textfile collector reads it; written whole every time."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import NotConfigured

from picspider.ops.identity import identity_of, placed
from picspider.ops.metrics_table import METRICS

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric as Family
    from scrapy.crawler import Crawler
    from typing_extensions import Self

logger = logging.getLogger(__name__)

EVERY_SECONDS = 15.0


class Metrics:
    """Scrapy extension: PICSPIDER_METRICS_FILE (`{crawl}` and `{worker}` in it are filled in) switches it on;
    PICSPIDER_METRICS_SECONDS (15) is how often it is written, besides once at the end.
    """

    def __init__(self, crawler: Crawler, template: str) -> None:
        self._crawler, self._template = crawler, template
        self._every_seconds = crawler.settings.getfloat("PICSPIDER_METRICS_SECONDS", EVERY_SECONDS)
        self._labels: dict[str, str] = {}
        self._started = time.time()
        self._ended: float | None = None
        self._reason = ""
        self._task: asyncio.Task[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured when no file is named, or prometheus-client is not installed."""
        template = crawler.settings.get("PICSPIDER_METRICS_FILE")
        if not template:
            raise NotConfigured
        try:
            import prometheus_client  # noqa: F401, PLC0415 - an extra
        except ImportError as exc:
            raise NotConfigured("PICSPIDER_METRICS_FILE needs the extra: pip install 'picspider[metrics]'") from exc
        metrics = cls(crawler, template)
        crawler.signals.connect(metrics.start, signals.spider_opened)
        crawler.signals.connect(metrics.stop, signals.spider_closed)
        return metrics

    def start(self) -> None:
        """Begin to write."""
        self._labels = identity_of(self._crawler)
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self, reason: str) -> None:
        """Write once more: the totals are known now."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._ended, self._reason = time.time(), reason
        self.write()

    async def _run(self) -> None:
        while True:
            self.write()
            await asyncio.sleep(self._every_seconds)

    def write(self) -> None:
        """Write the file; a crawl is not spoilt when that cannot be done."""
        from prometheus_client import CollectorRegistry, write_to_textfile  # noqa: PLC0415 - an extra

        registry = CollectorRegistry()
        registry.register(self)
        try:
            write_to_textfile(placed(self._template, self._labels), registry)
        except OSError as exc:
            logger.warning("The metrics cannot be written: %s", exc)

    def collect(self) -> Iterator[Family]:
        """The metrics of this moment, for prometheus-client."""
        yield from self._of_run()
        stats = self._crawler.stats.get_stats()
        for metric in METRICS:
            found = [(match, value) for name, value in stats.items() if (match := metric.pattern.fullmatch(name))]
            if found:
                family = self._family(metric.name, metric.help, tuple(metric.pattern.groupindex), counts=metric.counts)
                for match, value in found:
                    family.add_metric([*self._labels.values(), *match.groupdict().values()], float(value))
                yield family

    def _of_run(self) -> Iterator[Family]:
        engine = self._crawler.engine
        budget: Any = getattr(getattr(engine, "scheduler", None), "budget", None)
        values = list(self._labels.values())
        numbers = {
            "run_started_seconds": ("When the run began, in seconds since 1970.", self._started),
            "run_ended_seconds": ("When the run ended; 0 while it goes on.", self._ended or 0.0),
            "requests_active": ("Requests under way.", len(getattr(getattr(engine, "downloader", None), "active", ()))),
            "picture_bytes": ("Bytes of the pictures stored in this run.", getattr(budget, "received_bytes", 0)),
        }
        for name, (text, number) in numbers.items():
            family = self._family(f"picspider_{name}", text, ())
            family.add_metric(values, float(number))
            yield family
        if self._reason:
            family = self._family("picspider_run_close_reason", "1 for the reason why the run ended.", ("reason",))
            family.add_metric([*values, self._reason], 1.0)
            yield family

    def _family(self, name: str, text: str, labels: tuple[str, ...], *, counts: bool = False) -> Any:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily  # noqa: PLC0415 - an extra

        return (CounterMetricFamily if counts else GaugeMetricFamily)(name, text, labels=[*self._labels, *labels])
