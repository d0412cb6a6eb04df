"""Rows that are looked at again: pages whose links may have changed, and what a changed config judges otherwise."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sqlalchemy import and_, or_, select, update

from picspider.filters.reasons import FILTER_REASONS
from picspider.frontier.run.set_aside import judge_stored, take_back
from picspider.frontier.store.waiting import portions, to_waiting
from picspider.schema import (
    IS_DONE,
    IS_ERROR,
    IS_PAGE,
    IS_PICTURE,
    IS_WAITING,
    KIND_NAMES,
    State,
    constant,
    node,
    picture,
    repeat,
    skip,
)
from picspider.urls import key_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sqlalchemy import ColumnElement, Connection

    from picspider.filters import Filter
    from picspider.frontier.run.changes import Changes
    from picspider.urls import IdentityRules

logger = logging.getLogger(__name__)

# `run` of a failure that a changed rule may not take any more: its page is read again, and has not shown it yet. No row
# that was seen once is gone since the first run, so that this number is free.
AWAITS_RULE = -1
# Added to `again` of a repeat while its page is read again, and has not shown it yet.
NOT_SEEN_YET = 2


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
    """Have the pages *which* read again; where their links stand now is noted when they are seen there again.

    Until then they stand where they stood: of a page that cannot be read this time all stays as it is known.
    """
    pages = select(node.c.id).where(and_(IS_PAGE, which))
    connection.execute(update(node).where(node.c.parent.in_(pages.scalar_subquery()), node.c.run > 0).values(run=0))
    forget_unseen_repeats(connection)  # of a run that was killed after it had read their pages
    of_pages = (repeat.c.by == "url", repeat.c.later == 0, repeat.c.parent.in_(pages.scalar_subquery()))
    unseen = update(repeat).where(*of_pages, repeat.c.again < NOT_SEEN_YET)
    connection.execute(unseen.values(again=repeat.c.again + NOT_SEEN_YET))
    return reopen(connection, and_(IS_PAGE, which))


def forget_unseen_repeats(connection: Connection) -> None:
    """Remove repeats whose pages have been read again and did not show them."""
    read = select(node.c.id).where(IS_DONE)
    connection.execute(repeat.delete().where(repeat.c.again >= NOT_SEEN_YET, repeat.c.parent.in_(read)))


def rejudge(connection: Connection, changes: Changes, filters: Sequence[Filter], pictures: Path | None) -> None:
    """Apply *changes* of the config to what is in the table; what they do not touch stays as it is.

    *filters* are the new ones, *pictures* the folder of what is stored: see `judge_stored`.
    """
    if changes.identity is not None:
        _rekey(connection, changes.identity)
        pages = look_again(connection, IS_DONE)
        logger.info("The rules for the same URL have changed: %d pages are read again", pages)
    for layer in changes.layers:
        pages = look_again(connection, and_(node.c.layer == layer, IS_DONE))
        links = _await_rule(connection, layer + 1)
        logger.info(
            "The rule for layer %d has changed: %d pages are read again, %d links await its judgement",
            layer + 1, pages, links,
        )  # fmt: skip
    if changes.filters:
        take_back(connection, filters, pictures)
        still_aside = select(skip.c.node).where(skip.c.stored.is_not(None))
        others = and_(IS_DONE, node.c.reason.in_(FILTER_REASONS), node.c.id.not_in(still_aside))
        again = reopen(connection, others)
        logger.info("The filters have changed: %d skipped pictures are judged again", again)
        judge_stored(connection, filters, pictures)
    if changes.same_content is not None:
        _rejudge_same_content(connection, changes.same_content)


def _rejudge_same_content(connection: Connection, now: str) -> None:
    """Fetch again what was not stored as it is the same as another, if it is stored by now; else tell what stays."""
    if now == "once":
        logger.warning(
            "pictures.same_content has changed: what is stored several times stays so; from now on each content is "
            "stored once"
        )
        return
    same = select(repeat.c.later).where(repeat.c.by == "content", repeat.c.later != 0)
    rows = connection.scalars(select(node.c.id).where(node.c.id.in_(same), IS_PICTURE)).all()
    again = sum(reopen(connection, node.c.id.in_(portion)) for portion in portions(rows))
    logger.warning(
        "pictures.same_content has changed: %d pictures are fetched again that were told as the same as another; what "
        "is stored already stays as it is",
        again,
    )


def _await_rule(connection: Connection, layer: int) -> int:
    """Have the rows of *layer* that gave nothing yet await the new rule; returns how many.

    Those that wait are removed if their page is read again, where the rule finds them if it takes them. Failures stay
    failures until their page has been read.
    """
    above = node.alias("above")
    nothing_yet = (
        node.c.layer == layer,
        node.c.page == 1,
        node.c.parent != 0,
        node.c.id.not_in(select(node.alias().c.parent)),
    )
    read_again = select(above.c.id).where(above.c.state == constant(State.waiting))
    waiting = select(node.c.id).where(*nothing_yet, IS_WAITING, node.c.parent.in_(read_again))
    dropped = drop(connection, connection.scalars(waiting).all())
    return dropped + int(
        connection.execute(update(node).where(*nothing_yet, IS_ERROR).values(run=AWAITS_RULE)).rowcount
    )


def drop(connection: Connection, rows: Sequence[int]) -> int:
    """Remove *rows*, which hold nothing, and the repeats of them; returns how many."""
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
