"""Rows that are looked at again: pages whose links may have changed, and what a changed config judges otherwise."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sqlalchemy import and_, or_, select, update

from picspider.filters.reasons import FILTER_REASONS
from picspider.frontier.set_aside import judge_stored
from picspider.frontier.waiting import portions, to_waiting
from picspider.schema import IS_DONE, IS_ERROR, IS_PAGE, IS_PICTURE, IS_WAITING, KIND_NAMES, node, picture, repeat, skip
from picspider.urls import key_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sqlalchemy import ColumnElement, Connection

    from picspider.filters import Filter
    from picspider.frontier.changes import Changes
    from picspider.urls import IdentityRules

logger = logging.getLogger(__name__)


def reopen(connection: Connection, which: ColumnElement[bool]) -> int:
    """Have the rows *which* fetched again, as if for the first time; returns how many.

    *which* may only speak of the row itself: what hangs on it is removed first. Pictures that are told as the same as
    one of them are fetched as well: nobody knows what it will be this time.
    """
    ids = select(node.c.id).where(which).scalar_subquery()
    same = _same_as(connection, which)
    for hanging in (picture.c.node, skip.c.node, repeat.c.later):
        connection.execute(hanging.table.delete().where(hanging.in_(ids)))
    reopened = int(connection.execute(to_waiting(which)).rowcount)
    return reopened + sum(reopen(connection, node.c.id.in_(portion)) for portion in portions(same))


def _same_as(connection: Connection, which: ColumnElement[bool]) -> Sequence[int]:
    """The pictures, none of them *which* itself, that have the content of one of the pictures *which*."""
    originals = select(node.c.id).where(which, IS_PICTURE).scalar_subquery()
    same = select(repeat.c.later).where(repeat.c.by == "content", repeat.c.later != 0, repeat.c.node.in_(originals))
    return connection.scalars(same.where(repeat.c.later.not_in(select(node.c.id).where(which)))).all()


def look_again(connection: Connection, which: ColumnElement[bool]) -> int:
    """Have the pages *which* read again; where their links stand now is noted when they are seen there again."""
    pages = select(node.c.id).where(and_(IS_PAGE, which))
    connection.execute(update(node).where(node.c.parent.in_(pages.scalar_subquery()), node.c.run > 0).values(run=0))
    connection.execute(
        repeat.delete().where(repeat.c.by == "url", repeat.c.later == 0, repeat.c.parent.in_(pages.scalar_subquery()))
    )
    return reopen(connection, and_(IS_PAGE, which))


def rejudge(connection: Connection, changes: Changes, filters: Sequence[Filter], pictures: Path | None) -> None:
    """Apply *changes* of the config to what is in the table; what they do not touch stays as it is.

    *filters* are the new ones, *pictures* the folder of what is stored: see `judge_stored`.
    """
    if changes.identity is not None:
        _rekey(connection, changes.identity)
    for layer in changes.layers:
        pages = look_again(connection, and_(node.c.layer == layer, IS_DONE))
        dropped = _drop_unread(connection, layer + 1)
        logger.info(
            "The rule for layer %d has changed: %d pages are read again, %d links await its judgement",
            layer + 1, pages, dropped,
        )  # fmt: skip
    if changes.filters:
        again = reopen(connection, and_(IS_DONE, node.c.reason.in_(FILTER_REASONS)))
        logger.info("The filters have changed: %d skipped pictures are judged again", again)
        judge_stored(connection, filters, pictures)


def _drop_unread(connection: Connection, layer: int) -> int:
    """Remove rows of *layer* that gave nothing yet; those that the new rule takes are found again."""
    which = and_(
        node.c.layer == layer,
        node.c.page == 1,
        node.c.parent != 0,
        or_(IS_WAITING, IS_ERROR),
        node.c.id.not_in(select(node.alias().c.parent)),
    )
    rows = connection.scalars(select(node.c.id).where(which)).all()
    for portion in portions(rows):
        connection.execute(repeat.delete().where(or_(repeat.c.node.in_(portion), repeat.c.later.in_(portion))))
        connection.execute(node.delete().where(node.c.id.in_(portion)))
    return len(rows)


def _rekey(connection: Connection, rules: IdentityRules) -> None:
    """Give all rows the key of their identity by new *rules*; of two that are the same now, the older one gets it."""
    taken: set[int] = set()
    fresh: list[dict[str, int]] = []
    query = select(node.c.id, node.c.url, node.c.key, node.c.kind).order_by(node.c.id)
    for row, url, key, kind in connection.execute(query):
        new = key_of(url, KIND_NAMES[kind], rules)
        if new in taken:
            continue
        taken.add(new)
        if new != key:
            fresh.append({"row": row, "fresh": new})
    for change in fresh:
        holder = connection.scalar(select(node.c.id).where(node.c.key == change["fresh"]))
        if holder is None:
            connection.execute(update(node).where(node.c.id == change["row"]).values(key=change["fresh"]))
