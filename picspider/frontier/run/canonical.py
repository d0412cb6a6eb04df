"""Which of several sightings is the original: the first one in reading order, whatever order the answers came in.

Many requests run at once, so the sighting that was noted first depends on the moment. Reading order does not: entry by
entry, a page before the page that continues it, link by link. At the end of a run each URL's earliest sighting becomes
the original and the one it replaces becomes the repeat, so that two crawls of one site report the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, func, insert, or_, select, update

from picspider.frontier.run.next_pages import make_heads, settle_next_pages, several_ways
from picspider.frontier.run.redirected import swap_redirects
from picspider.frontier.run.seats import seat
from picspider.schema import IS_PAGE, REPEAT_REASON, KindCode, constant, node, picture, repeat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Row


def settle_originals(connection: Connection) -> set[int]:
    """Make the earliest sighting in reading order the original everywhere; returns the rows that are it now."""
    if connection.scalar(select(repeat.c.id).where(repeat.c.parent != 0).limit(1)) is None:
        return set()
    last = connection.scalar(select(func.max(node.c.layer))) or 0
    seat.create(connection, checkfirst=True)
    connection.execute(seat.delete())
    changed: set[int] = set()
    for layer in range(last + 1):
        if layer:
            changed |= make_heads(connection, layer)
            changed |= _swap_layer(connection, layer)
        changed |= swap_redirects(connection, layer)
        if layer:
            changed |= _swap_contents(connection, layer)
        if layer < last:
            changed |= _seat_layer(connection, layer)
    seat.drop(connection)
    return changed


def _seat_layer(connection: Connection, layer: int) -> set[int]:
    """Note the reading order of the pages of *layer*; returns next pages that belong elsewhere by it."""
    first = (node.c.layer == layer, IS_PAGE, node.c.page == 1)
    above = seat.c.seat if layer else node.c.position
    heads = select(node.c.id, above.label("above"), node.c.position).where(*first)
    if layer:
        heads = heads.join_from(node, seat, seat.c.node == node.c.parent)
    if several_ways(connection, layer):
        rows = connection.scalars(heads.order_by("above", node.c.position, node.c.id)).all()
        moved, order = settle_next_pages(connection, layer, rows)
        if order:
            connection.execute(insert(seat), [{"node": row, "seat": place} for place, row in enumerate(order, 1)])
        return moved
    of_chain = heads.subquery()
    order_by = (of_chain.c.above, of_chain.c.position, node.c.page, node.c.id)
    ranked = (
        select(node.c.id, func.row_number().over(order_by=order_by))
        .join_from(node, of_chain, of_chain.c.id == node.c.chain)
        .where(node.c.layer == layer, IS_PAGE)
    )
    connection.execute(insert(seat).from_select(["node", "seat"], ranked))
    return set()


def _swap_layer(connection: Connection, layer: int) -> set[int]:
    later, first = seat.alias("later"), seat.alias("first")
    query = (
        select(
            repeat,
            node.c.parent.label("first_parent"),
            node.c.position.label("first_position"),
            node.c.text.label("first_text"),
        )
        .join_from(repeat, node, node.c.id == repeat.c.node)
        .join(later, later.c.node == repeat.c.parent)
        .join(first, first.c.node == node.c.parent)
        .where(
            repeat.c.by == "url",
            repeat.c.later == 0,
            repeat.c.layer == layer,
            repeat.c.page == 1,
            repeat.c.again == 0,
            node.c.layer == layer,
            node.c.page == 1,
            repeat.c.parent != node.c.parent,
            or_(
                later.c.seat < first.c.seat,
                and_(later.c.seat == first.c.seat, repeat.c.position < node.c.position),
            ),
        )
        .order_by(repeat.c.node, later.c.seat, repeat.c.position)
    )
    earliest: dict[int, Row[tuple[object, ...]]] = {}
    for pair in connection.execute(query):
        earliest.setdefault(pair.node, pair)
    _swap(connection, list(earliest.values()))
    return set(earliest)


def _swap(connection: Connection, pairs: Sequence[Row[tuple[object, ...]]]) -> None:
    if not pairs:
        return
    values: dict[str, Any] = {name: bindparam(f"new_{name}") for name in ("parent", "position", "text")}
    places = [
        # A repeat that an older version noted has no text: the one that is known stays.
        {"of": pair.node, "new_parent": pair.parent, "new_position": pair.position,
         "new_text": pair.first_text if pair.text is None else pair.text}
        for pair in pairs
    ]  # fmt: skip
    connection.execute(update(node).where(node.c.id == bindparam("of")).values(**values), places)
    firsts = [
        {"of": pair.id, "new_parent": pair.first_parent, "new_position": pair.first_position,
         "new_text": pair.first_text}
        for pair in pairs
    ]  # fmt: skip
    connection.execute(update(repeat).where(repeat.c.id == bindparam("of")).values(**values), firsts)


def _swap_contents(connection: Connection, layer: int) -> set[int]:
    """Of pictures with the same bytes, make the earliest in reading order the one that is stored."""
    first, held = seat.alias("first"), node.alias("held")
    here = node.alias("here")
    query = (
        select(repeat.c.node, repeat.c.later)
        .join(held, held.c.id == repeat.c.node)
        .join(here, here.c.id == repeat.c.later)
        .join(seat, seat.c.node == here.c.parent)
        .join(first, first.c.node == held.c.parent)
        .where(
            repeat.c.by == "content",
            held.c.kind == constant(KindCode.picture),
            held.c.layer == layer,
            here.c.layer == layer,
            or_(
                seat.c.seat < first.c.seat,
                and_(seat.c.seat == first.c.seat, here.c.position < held.c.position),
            ),
        )
        .order_by(repeat.c.node, seat.c.seat, here.c.position)
    )
    earliest: dict[int, int] = {}
    for stored, later in connection.execute(query):
        earliest.setdefault(stored, later)
    for stored, later in earliest.items():
        _hand_over(connection, stored, later)
    return set(earliest.values())


def _hand_over(connection: Connection, stored: int, later: int) -> None:
    """Make the row *later* the holder of the picture that *stored* has."""
    connection.execute(update(picture).where(picture.c.node == stored).values(node=later))
    connection.execute(update(repeat).where(repeat.c.node == stored, repeat.c.by == "content").values(node=later))
    old = select(node.c.url, node.c.parent, node.c.layer, node.c.page, node.c.position).where(node.c.id == stored)
    place = dict(connection.execute(old).mappings().one())
    pair = and_(repeat.c.later == later, repeat.c.by == "content")
    connection.execute(update(repeat).where(pair).values(later=stored, **place))
    message = connection.scalar(select(node.c.message).where(node.c.id == later))
    connection.execute(update(node).where(node.c.id == later).values(reason=None, message=None))
    connection.execute(update(node).where(node.c.id == stored).values(reason=REPEAT_REASON, message=message))
