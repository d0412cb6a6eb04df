"""The totals of a crawl, and of each layer, counted in the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from picspider.records import Totals
from picspider.schema import IS_DONE, IS_PAGE, REPEAT_REASON, State, node, picture, repeat, skip

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection

MOST_ENTRIES = 1000


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
    repeated = connection.scalar(select(func.count()).where(IS_DONE, node.c.reason == REPEAT_REASON))
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
    return (skip.c.node == node.c.id) & IS_DONE


def dry_layers(connection: Connection, layers: int) -> list[int]:
    """Layers whose rule matched nothing although pages of the layer before were read."""
    present = set(connection.scalars(select(node.c.layer).distinct()))
    read = set(connection.scalars(select(node.c.layer).where(IS_PAGE, IS_DONE).distinct()))
    return [layer for layer in range(1, layers + 1) if layer - 1 in read and layer not in present]


def lost_entry(connection: Connection) -> tuple[str, str] | None:
    """(URL, message) of an entry page that could not be had when no entry page could; None otherwise."""
    entries = select(node.c.state, node.c.url, node.c.message).where(node.c.layer == 0, node.c.page == 1)
    rows = connection.execute(entries.order_by(node.c.id).limit(MOST_ENTRIES)).all()
    if not rows or any(row.state != State.error.value for row in rows):
        return None
    return rows[0].url, rows[0].message or "it failed"
