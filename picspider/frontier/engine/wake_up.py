"""The clock that has the engine ask again when a host that has to wait may be asked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from picspider.frontier.engine.engine_adapter import wake

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.crawler import Crawler

LATE_SECONDS = 0.001  # a timer may go off a little early


class WakeUp:
    """Rings once, at the earliest of the times that it was set to; never with a downloader that knows no such times."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._timer: asyncio.TimerHandle | None = None

    def set(self, hosts: Iterable[str]) -> None:
        """Ring when the first of *hosts* is ready that are not."""
        downloader = self._crawler.engine.downloader
        ready = getattr(downloader, "seconds_until_ready", None)
        if ready is None:
            return
        waits_seconds = [seconds for host in hosts if (seconds := ready(host)) > 0]
        if not waits_seconds:
            return
        loop = asyncio.get_running_loop()
        rings_at = loop.time() + min(waits_seconds) + LATE_SECONDS
        if self._timer is not None:
            if self._timer.when() <= rings_at:
                return
            self._timer.cancel()
        self._timer = loop.call_at(rings_at, self._ring)

    def _ring(self) -> None:
        self._timer = None
        wake(self._crawler.engine)
