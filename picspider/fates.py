"""What became of a row, in one word: every row of the store has exactly one fate; and how many have which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from enum import IntEnum
from typing import TYPE_CHECKING

from sqlalchemy import ColumnElement, Integer, case, func, literal, select

from picspider.records import Totals
from picspider.schema import IS_ERROR, IS_PICTURE, IS_RUNNING, IS_WAITING, REPEAT_REASON, node, repeat

if TYPE_CHECKING:
    from sqlalchemy import Connection


class Fate(IntEnum):
    """The order is that of the legend; the numbers stand in the report's data."""

    waiting = 0
    running = 1
    page = 2
    picture = 3
    skip = 4
    failure = 5
    repeat = 6


def fate() -> ColumnElement[int]:
    """SQL for the fate of a row of `node`. A row that is done says in `reason` whether it was skipped or a repeat."""
    return case(
        (IS_WAITING, _number(Fate.waiting)),
        (IS_RUNNING, _number(Fate.running)),
        (IS_ERROR, _number(Fate.failure)),
        (node.c.reason == REPEAT_REASON, _number(Fate.repeat)),
        (node.c.reason.is_not(None), _number(Fate.skip)),
        (IS_PICTURE, _number(Fate.picture)),
        else_=_number(Fate.page),
    )


def _number(value: Fate) -> ColumnElement[int]:
    return literal(value.value, Integer)


def totals_by_layer(connection: Connection) -> dict[int, Totals]:
    """What became of all sightings in each layer, in order; costs about a microsecond a row."""
    what = fate().label("fate")
    counts: dict[int, Counter[Fate]] = {}
    for layer, number, count in connection.execute(
        select(node.c.layer, what, func.count()).group_by(node.c.layer, "fate")
    ):
        counts.setdefault(layer, Counter())[Fate(number)] = count
    # Repeats by URL have no row of their own; one that has stands in `repeat`, too, and is counted there.
    for of in counts.values():
        del of[Fate.repeat]
    for layer, count in connection.execute(select(repeat.c.layer, func.count()).group_by(repeat.c.layer)):
        counts.setdefault(layer, Counter())[Fate.repeat] = count
    return {layer: _as_totals(of) for layer, of in sorted(counts.items())}


def totals_of(connection: Connection) -> Totals:
    """Every sighting of the crawl in exactly one of the totals."""
    return sum_of(totals_by_layer(connection).values())


def sum_of(parts: Iterable[Totals]) -> Totals:
    """*parts* added up."""
    sums: Counter[str] = Counter()
    for part in parts:
        sums.update(asdict(part))
    return Totals(**sums)


def failures_by_reason(connection: Connection) -> list[tuple[str, int]]:
    """(reason, failures), the most frequent first."""
    query = (
        select(node.c.reason, func.count())
        .where(IS_ERROR)
        .group_by(node.c.reason)
        .order_by(func.count().desc(), node.c.reason)
    )
    return [(reason or "", count) for reason, count in connection.execute(query)]


def _as_totals(of: Counter[Fate]) -> Totals:
    return Totals(
        pages=of[Fate.page],
        pictures=of[Fate.picture],
        skips=of[Fate.skip],
        failures=of[Fate.failure],
        repeats=of[Fate.repeat],
        waiting=of[Fate.waiting] + of[Fate.running],
    )
