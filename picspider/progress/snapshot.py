"""How a crawl stands at one moment: asked of the store in a thread of its own, and so rarely that it costs nothing."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from picspider.progress.estimate import Estimate, estimate
from picspider.report.summary import LayerCounts, layers_of

if TYPE_CHECKING:
    from sqlalchemy import Engine

LEAST_SECONDS = 1.0
SHARE_OF_TIME = 0.004  # counting takes at most this part of a processor
RATE_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """`waits`: (host, seconds until it may be asked again); `active`: requests under way."""

    elapsed_seconds: float
    layers: tuple[LayerCounts, ...]
    pictures_per_second: float
    bytes_per_second: float
    waits: tuple[tuple[str, float], ...]
    active: int
    left: Estimate | None
    stopping: bool


class Counting:
    """Counts the layers of a crawl again when it is due."""

    def __init__(self, engine: Engine, names: tuple[str, ...]) -> None:
        self._engine = engine
        self._names = names
        self._due = 0.0
        self.layers: tuple[LayerCounts, ...] = ()
        self.times = 0

    @property
    def is_due(self) -> bool:
        """Whether the last count is old enough; the longer a count takes, the rarer it is."""
        return time.monotonic() >= self._due

    def count(self) -> None:
        """Count; runs in any thread. Raises SQLAlchemyError."""
        started = time.thread_time()
        with self._engine.connect() as connection:
            self.layers = layers_of(connection, self._names)
        self.times += 1
        cost = time.thread_time() - started
        self._due = time.monotonic() + max(LEAST_SECONDS, cost / SHARE_OF_TIME)


class Rates:
    """Pictures, bytes and URLs per second over the last while."""

    def __init__(self) -> None:
        self._points: deque[tuple[float, int, int, int]] = deque()

    def add(self, pictures: int, size_bytes: int, urls: int) -> tuple[float, float, float]:
        """Note how many there are now; returns the rates."""
        now = time.monotonic()
        self._points.append((now, pictures, size_bytes, urls))
        while len(self._points) > 2 and now - self._points[1][0] > RATE_SECONDS:
            self._points.popleft()
        first = self._points[0]
        seconds = now - first[0]
        if seconds <= 0:
            return 0.0, 0.0, 0.0
        return (pictures - first[1]) / seconds, (size_bytes - first[2]) / seconds, (urls - first[3]) / seconds


def waits_of(downloader: Any) -> tuple[tuple[str, float], ...]:
    """The hosts that have to wait now, the longest first."""
    slots = getattr(downloader, "slots", {})
    waits = [(key, slot.seconds_until_ready()) for key, slot in slots.items() if hasattr(slot, "seconds_until_ready")]
    return tuple(sorted(((key, wait) for key, wait in waits if wait > 0), key=lambda pair: -pair[1])[:5])


class Observer:
    """Looks at a running crawler."""

    def __init__(self, crawler: Any, counting: Counting, last_layer: int) -> None:
        self._crawler = crawler
        self._counting = counting
        self._last_layer = last_layer
        self._rates = Rates()
        self._per_second = (0.0, 0.0, 0.0)
        self._times = 0
        self._started = time.monotonic()

    def look(self) -> Snapshot:
        """The crawl as it stands; costs microseconds."""
        layers = self._counting.layers
        engine, stats = self._crawler.engine, self._crawler.stats
        budget = getattr(getattr(engine, "scheduler", None), "budget", None)
        pictures = sum(layer.counts.pictures for layer in layers)
        received = int(getattr(budget, "received_bytes", 0))
        if self._counting.times != self._times:
            self._times = self._counting.times
            self._per_second = self._rates.add(pictures, received, int(stats.get_value("picspider/urls/ended", 0)))
        per_second = self._per_second
        downloader = getattr(engine, "downloader", None)
        return Snapshot(
            elapsed_seconds=time.monotonic() - self._started,
            layers=layers,
            pictures_per_second=per_second[0],
            bytes_per_second=per_second[1],
            waits=waits_of(downloader),
            active=len(getattr(downloader, "active", ())),
            left=estimate(layers, per_second[2], self._last_layer),
            stopping=not self._crawler.crawling,
        )
