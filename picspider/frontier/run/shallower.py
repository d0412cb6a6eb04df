"""Pages that were found in a layer, and then in one nearer to the entry, which is the one that counts.

It happens where the rules of two layers take the same URLs, and the page that is nearer answers late, or only when it
is tried once more. Which layer a page is in decides what is looked for on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import and_, func, or_, select, update

from picspider.frontier.run.rejudge import look_again
from picspider.frontier.store.waiting import portions
from picspider.schema import IS_PAGE, node, repeat

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row, Select


class Risen(NamedTuple):
    """A page that is read again in the layer `now`; it was read in the layer `was`."""

    url: str
    was: int
    now: int


def rise(connection: Connection) -> list[Risen]:
    """When nothing is left to do: put pages into the nearest layer that they were found in, to be read again there.

    First pages of a chain take its next pages along. What was found on them before stays; what they do not show in
    their new layer is told as gone.
    """
    nearest: dict[int, Row[Any]] = {}
    for found in connection.execute(_found_nearer(connection)):
        nearest.setdefault(found.node, found)
    for found in nearest.values():
        _put(connection, found)
    rows = list(nearest)
    for portion in portions(rows):
        along = connection.scalars(select(node.c.id).where(node.c.chain.in_(portion), node.c.page > 1)).all()
        rows += [row for row in along if row not in nearest]
    for portion in portions(rows):
        look_again(connection, node.c.id.in_(portion))
    return [Risen(found.first_url, found.first_layer, found.layer) for found in nearest.values()]


def _found_nearer(connection: Connection) -> Select[Any]:
    """Links to pages from a nearer layer, the nearest first; links to next pages only if it is one anyhow."""
    above = node.alias("above")
    last = connection.scalar(select(func.max(node.c.layer)).where(IS_PAGE)) or 0
    return (
        select(
            repeat,
            above.c.chain.label("above_chain"),
            node.c.url.label("first_url"),
            node.c.layer.label("first_layer"),
            node.c.parent.label("first_parent"),
            node.c.page.label("first_page"),
            node.c.position.label("first_position"),
            node.c.text.label("first_text"),
        )
        .join_from(repeat, node, node.c.id == repeat.c.node)
        .join(above, above.c.id == repeat.c.parent)
        # Links to pictures, most of all, are left aside without a look at their rows.
        .where(repeat.c.layer < last, repeat.c.by == "url", repeat.c.later == 0, repeat.c.again == 0)
        .where(IS_PAGE, repeat.c.layer < node.c.layer)
        .where(
            or_(
                and_(repeat.c.page == 1, node.c.page == 1, above.c.layer + 1 == repeat.c.layer),
                and_(repeat.c.page > 1, node.c.page > 1, above.c.layer == repeat.c.layer),
            )
        )
        .order_by(repeat.c.layer, repeat.c.id)
    )


def _put(connection: Connection, found: Row[Any]) -> None:
    """Put the page of a link to where that stands; what stood there becomes the repeat."""
    chain = found.node if found.page == 1 else found.above_chain
    text = found.first_text if found.text is None else found.text
    place = {"parent": found.parent, "position": found.position, "page": found.page}
    along = and_(node.c.chain == found.node, node.c.page > 1)
    if found.page == 1:
        connection.execute(update(node).where(along).values(layer=found.layer))
    stands = update(node).where(node.c.id == found.node)
    connection.execute(stands.values(layer=found.layer, chain=chain, text=text, **place))
    first = {"parent": found.first_parent, "position": found.first_position, "page": found.first_page}
    again = update(repeat).where(repeat.c.id == found.id)
    connection.execute(again.values(layer=found.first_layer, text=found.first_text, **first))
