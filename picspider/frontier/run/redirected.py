"""Of several pages that redirect to one, the first in reading order is the original, whichever answered first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, func, or_, select, update

from picspider.frontier.run.seats import seat
from picspider.schema import IS_DONE, IS_PAGE, kept_page, node, repeat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

# What belongs to a URL and to where it stands; all else is what was read there.
_OF_URL = ("url", "host", "key", "final_url", "parent", "position", "text", "attempts", "status", "run", "time")
_PLACE = ("url", "parent", "layer", "page", "position")


def swap_redirects(connection: Connection, layer: int) -> set[int]:
    """Let what was read behind redirects in *layer* be told under the first URL that leads there.

    The pages above have their seats. The two rows change URLs and places, so that all that was found on the page stays
    with its row. Returns the rows that were read.
    """
    above_first, above_later, later = seat.alias("above_first"), seat.alias("above_later"), node.alias("later")
    first_seat, later_seat = func.coalesce(above_first.c.seat, 0), func.coalesce(above_later.c.seat, 0)
    query = (
        select(repeat.c.node, repeat.c.later)
        .join_from(repeat, node, node.c.id == repeat.c.node)
        .join(later, later.c.id == repeat.c.later)
        .outerjoin(above_first, above_first.c.node == node.c.parent)
        .outerjoin(above_later, above_later.c.node == later.c.parent)
        .where(repeat.c.by == "url", repeat.c.later != 0)
        .where(IS_PAGE, IS_DONE, node.c.reason.is_(None), node.c.layer == layer, node.c.page == 1)
        .where(later.c.kind == node.c.kind, later.c.layer == layer, later.c.page == 1)
        # Its file is named by its URL.
        .where(node.c.id.not_in(select(kept_page.c.node)))
        .where(
            or_(
                later_seat < first_seat,
                and_(later_seat == first_seat, later.c.position < node.c.position),
            )
        )
        .order_by(repeat.c.node, later_seat, later.c.position)
    )
    earliest: dict[int, int] = {}
    for read, other in connection.execute(query):
        earliest.setdefault(read, other)
    for read, other in earliest.items():
        _swap(connection, read, other)
    return set(earliest)


def _swap(connection: Connection, read: int, other: int) -> None:
    was = {row: _values(connection, row) for row in (read, other)}
    # No two rows may have one key, not even for a moment.
    connection.execute(update(node).where(node.c.id == other).values(key=~was[other]["key"]))
    for row, now in ((read, other), (other, read)):
        connection.execute(update(node).where(node.c.id == row).values({name: was[now][name] for name in _OF_URL}))
    told = and_(repeat.c.by == "url", repeat.c.later == other)
    connection.execute(update(repeat).where(told).values({name: was[read][name] for name in _PLACE}))
    seen = {row: _seen_again(connection, row, was[row]["url"]) for row in was}
    for row, now in ((read, other), (other, read)):
        connection.execute(update(repeat).where(repeat.c.id.in_(seen[row])).values(node=now))


def _seen_again(connection: Connection, row: int, url: str) -> Sequence[int]:
    """The repeats that are links to *url* itself, and not to where it redirects."""
    links = select(repeat.c.id).where(repeat.c.by == "url", repeat.c.later == 0, repeat.c.node == row)
    return connection.scalars(links.where(repeat.c.url == url)).all()


def _values(connection: Connection, row: int) -> dict[str, Any]:
    return dict(connection.execute(select(node).where(node.c.id == row)).mappings().one())
