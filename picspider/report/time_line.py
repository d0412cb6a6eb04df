"""When the pictures came: counts per equal piece of running time, over all runs, the pauses between them left out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import func, literal, select

from picspider.schema import IS_ERROR, node, picture

if TYPE_CHECKING:
    from sqlalchemy import Connection

PIECES = 60


@dataclass(frozen=True, slots=True)
class TimeLine:
    """`runs`: where in the line each run begins, in seconds; `pictures`, `bytes` and `failures`: per piece."""

    seconds: float
    runs: tuple[float, ...]
    pictures: tuple[int, ...]
    bytes: tuple[int, ...]
    failures: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Span:
    """One run: seconds since 1970, and how many seconds of earlier runs lie before it in the line."""

    started: float
    ended: float
    before: float


@dataclass(slots=True)
class _Lines:
    width_seconds: float
    pictures: list[int] = field(default_factory=lambda: [0] * PIECES)
    bytes: list[int] = field(default_factory=lambda: [0] * PIECES)
    failures: list[int] = field(default_factory=lambda: [0] * PIECES)


def time_line(connection: Connection, runs: Sequence[tuple[float, float | None]]) -> TimeLine:
    """The line of *runs*, each (started, ended) in seconds since 1970; one without an end ends with its last sign."""
    spans: list[_Span] = []
    seconds = 0.0
    for (started, ended), until in zip(runs, [*(start for start, _ in runs[1:]), time.time()], strict=True):
        spans.append(_Span(started, ended or _last_sign(connection, started, until), seconds))
        seconds += spans[-1].ended - started
    lines = _Lines(max(seconds / PIECES, 0.001))
    for span in spans:
        _add_run(connection, span, lines)
    return TimeLine(
        seconds, tuple(span.before for span in spans), tuple(lines.pictures), tuple(lines.bytes), tuple(lines.failures)
    )


def _last_sign(connection: Connection, started: float, until: float) -> float:
    last = connection.scalar(select(func.max(node.c.time)).where(node.c.time >= started, node.c.time < until))
    return float(last or started)


def _add_run(connection: Connection, span: _Span, lines: _Lines) -> None:
    stored = select(picture.c.time.label("time"), picture.c.bytes.label("bytes"))
    failed = select(node.c.time.label("time"), literal(0).label("bytes")).where(IS_ERROR)
    for query, counts in ((stored, lines.pictures), (failed, lines.failures)):
        rows = query.subquery()
        # Not `floor`, which SQLite has only when built with it.
        piece = func.round((rows.c.time - span.started + span.before) / lines.width_seconds - 0.5).label("piece")
        sums = select(piece, func.count(), func.sum(rows.c.bytes)).group_by("piece")
        for at, count, size in connection.execute(sums.where(rows.c.time.between(span.started, span.ended))):
            place = max(0, min(int(at), PIECES - 1))
            counts[place] += count
            lines.bytes[place] += int(size or 0)
