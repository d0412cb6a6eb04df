"""When the pictures came: counts per equal piece of running time, over all runs, the pauses between them left out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from picspider.schema import State, node, picture

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table
    from sqlalchemy.sql import ColumnElement

PIECES = 60


@dataclass(frozen=True, slots=True)
class TimeLine:
    """`runs`: where in the line each run begins, in seconds; `pictures`, `bytes` and `failures`: per piece."""

    seconds: float
    runs: tuple[float, ...]
    pictures: tuple[int, ...]
    bytes: tuple[int, ...]
    failures: tuple[int, ...]


def time_line(connection: Connection, runs: Sequence[tuple[float, float | None]]) -> TimeLine:
    """The line of *runs*, each (started, ended) in seconds since 1970. A run without an end is ended by what came last."""
    spans = [(started, ended or _last_sign(connection, started, until)) for (started, ended), until in _with_next(runs)]
    seconds = sum(ended - started for started, ended in spans)
    width = max(seconds / PIECES, 0.001)
    line = [[0] * PIECES for _ in range(3)]
    begins: list[float] = []
    passed = 0.0
    for started, ended in spans:
        begins.append(passed)
        picture_rows = (picture, picture.c.time, func.sum(picture.c.bytes), picture.c.node > 0)
        failure_rows = (node, node.c.time, func.sum(0), node.c.state == State.error.value)
        for piece, count, size in _pieces(connection, *picture_rows, (started, ended), passed, width):
            line[0][piece] += count
            line[1][piece] += size
        for piece, count, _ in _pieces(connection, *failure_rows, (started, ended), passed, width):
            line[2][piece] += count
        passed += ended - started
    return TimeLine(seconds, tuple(begins), tuple(line[0]), tuple(line[1]), tuple(line[2]))


def _with_next(
    runs: Sequence[tuple[float, float | None]],
) -> list[tuple[tuple[float, float | None], float]]:
    starts = [started for started, _ in runs[1:]] + [time.time()]
    return list(zip(runs, starts, strict=True))


def _last_sign(connection: Connection, started: float, until: float) -> float:
    last = connection.scalar(select(func.max(node.c.time)).where(node.c.time >= started, node.c.time < until))
    return float(last or started)


def _pieces(
    connection: Connection, table: Table, when: ColumnElement[float], size: ColumnElement[int],
    where: ColumnElement[bool], span: tuple[float, float], passed: float, width: float,
) -> list[tuple[int, int, int]]:
    """(piece, count, bytes) of the rows of *table* inside *span*."""
    # Not `floor`, which SQLite has only when built with it.
    piece = func.round((when - span[0] + passed) / width - 0.5).label("piece")
    query = (
        select(piece, func.count(), size)
        .select_from(table)
        .where(where, when >= span[0], when <= span[1])
        .group_by(piece)
    )
    return [(max(0, min(int(at), PIECES - 1)), count, int(volume or 0)) for at, count, volume in connection.execute(query)]
