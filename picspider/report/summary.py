"""The figures of a report: small, quick to make, and enough for the first look. Totals and layers add up by making."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from picspider.failures import REASONS, may_pass
from picspider.fates import failures_by_reason, sum_of, totals_by_layer
from picspider.kept_config import layer_names, name_of_layer, newest_config
from picspider.records import Totals
from picspider.report.harvest import Harvest, harvest_of
from picspider.report.news import News, news_of
from picspider.report.time_line import TimeLine, time_line
from picspider.report.visible import without_password
from picspider.schema import IS_ERROR, node, picture, run

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class LayerCounts:
    """What became of the sightings in one layer. `found` is the sum of the others."""

    layer: int
    name: str
    counts: Totals

    @property
    def found(self) -> int:
        """All sightings in this layer."""
        return self.counts.sightings


@dataclass(frozen=True, slots=True)
class ReasonCount:
    """How many failures have one reason, what the user can do about it, and how many of them may pass by themselves,
    as far as their status says.
    """

    reason: str
    count: int
    advice: str
    passing: int


@dataclass(frozen=True, slots=True)
class Run:
    """One run; times in seconds since 1970. `reason` is None while it goes on, and of one that was killed."""

    started: float
    ended: float | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Summary:
    """`formats`: (name, pictures, bytes); `sizes`: (n, pictures with 2ⁿ⁻¹ ≤ bytes < 2ⁿ); `pixels`: the same of
    width × height; `made`: seconds since 1970; `harvest`: of a focused crawl; `changes`: None after the first run.
    """

    made: float
    entry: tuple[str, ...]
    rows: int
    bytes: int
    totals: Totals
    layers: tuple[LayerCounts, ...]
    reasons: tuple[ReasonCount, ...]
    runs: tuple[Run, ...]
    formats: tuple[tuple[str, int, int], ...]
    sizes: tuple[tuple[int, int], ...]
    pixels: tuple[tuple[int, int], ...]
    time_line: TimeLine
    harvest: Harvest | None = None
    changes: News | None = None

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def summary_of(connection: Connection) -> Summary:
    """Count the crawl behind *connection*. Costs about a microsecond a row."""
    config = newest_config(connection)
    runs = tuple(
        Run(row.started, row.ended, row.reason)
        for row in connection.execute(select(run.c.started, run.c.ended, run.c.reason).order_by(run.c.id))
    )
    layers = layers_of(connection, layer_names(config))
    formats, sizes, pixels = _pictures(connection)
    return Summary(
        made=time.time(),
        entry=tuple(without_password(url) for url in _entry(connection)),
        rows=connection.scalar(select(func.count()).select_from(node)) or 0,
        bytes=sum(size for _, _, size in formats),
        totals=sum_of(layer.counts for layer in layers),
        layers=layers,
        reasons=_reasons(connection),
        runs=runs,
        formats=formats,
        sizes=sizes,
        pixels=pixels,
        time_line=time_line(connection, [(one.started, one.ended) for one in runs]),
        changes=news_of(connection),
        harvest=harvest_of(connection) if config.get("topic") and not config.get("layers") else None,
    )


def _entry(connection: Connection) -> list[str]:
    where = (node.c.parent == 0, node.c.layer == 0)
    return list(connection.scalars(select(node.c.url).where(*where).order_by(node.c.id).limit(20)))


def layers_of(connection: Connection, names: tuple[str, ...]) -> tuple[LayerCounts, ...]:
    """What became of the sightings in each layer; `names[k]` is the name of layer k + 1."""
    counts = totals_by_layer(connection)
    return tuple(LayerCounts(layer, name_of_layer(layer, names), of) for layer, of in counts.items())


def _reasons(connection: Connection) -> tuple[ReasonCount, ...]:
    by_status = select(node.c.reason, node.c.status, func.count()).where(IS_ERROR)
    passing: Counter[str] = Counter()
    for reason, status, count in connection.execute(by_status.group_by(node.c.reason, node.c.status)):
        passing[reason or ""] += count if may_pass(reason, status) else 0
    return tuple(
        ReasonCount(reason, count, REASONS[reason].advice if reason in REASONS else "", passing[reason])
        for reason, count in failures_by_reason(connection)
    )


Bins = tuple[tuple[int, int], ...]


def _pictures(connection: Connection) -> tuple[tuple[tuple[str, int, int], ...], Bins, Bins]:
    """Formats, sizes in bytes and sizes in pixels of all pictures."""
    pictures: Counter[str] = Counter()
    volume: Counter[str] = Counter()
    sizes: Counter[int] = Counter()
    pixels: Counter[int] = Counter()
    query = select(picture.c.format, picture.c.bytes, picture.c.width * picture.c.height)
    for name, size, area in connection.execute(query.execution_options(yield_per=5000)):
        pictures[name] += 1
        volume[name] += size
        sizes[size.bit_length()] += 1
        pixels[area.bit_length()] += 1
    formats = tuple((name, count, volume[name]) for name, count in pictures.most_common())
    return formats, tuple(sorted(sizes.items())), tuple(sorted(pixels.items()))
