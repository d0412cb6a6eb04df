"""What a crawl was to give and did not: layers without a match, an entry that cannot be had."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from picspider.schema import IS_DONE, IS_PAGE, State, node

if TYPE_CHECKING:
    from sqlalchemy import Connection

MOST_ENTRIES = 1000


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
