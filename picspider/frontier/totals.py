"""The totals of a crawl, and of each layer, counted in the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from picspider.records import Totals
from picspider.schema import State, node, picture, repeat, skip

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection


def totals_of(connection: Connection) -> Totals:
    """Every sighting of the crawl in exactly one of the totals."""
    counts: dict[tuple[int, int], int] = {
        (state, kind): count
        for state, kind, count in connection.execute(
            select(node.c.state, node.c.kind, func.count()).group_by(node.c.state, node.c.kind)
        )
    }
    skips = connection.scalar(select(func.count()).select_from(skip.join(node, _skipped()))) or 0
    repeats = connection.scalar(select(func.count()).select_from(repeat)) or 0
    pictures = connection.scalar(select(func.count()).select_from(picture)) or 0
    done = sum(count for (state, _), count in counts.items() if state == State.done.value)
    repeated = connection.scalar(
        select(func.count()).where(node.c.state == State.done.value, node.c.reason == "repeat")
    )
    return Totals(
        pages=done - pictures - skips - (repeated or 0),
        pictures=pictures,
        skips=skips,
        failures=sum(count for (state, _), count in counts.items() if state == State.error.value),
        repeats=repeats,
        waiting=sum(
            count for (state, _), count in counts.items() if state in (State.waiting.value, State.running.value)
        ),
    )


def _skipped() -> ColumnElement[bool]:
    return (skip.c.node == node.c.id) & (node.c.state == State.done.value)
