"""What a site does not show any more: told when its pages have been read again, at the end of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select, update

from picspider.frontier.run.rejudge import AWAITS_RULE, drop, forget_unseen_repeats
from picspider.schema import IS_ERROR, IS_PAGE, State, constant, node, repeat

if TYPE_CHECKING:
    from sqlalchemy import Connection


def note_gone(connection: Connection, run: int) -> int:
    """At the end of *run*: mark the rows that their pages, read again, do not show any more, and what hangs on such
    rows alone; returns how many. Of pages that could not be read nothing is said. What is stored stays. Removed are
    failures that are gone, or that a changed rule does not take any more, and repeats that are not there any more.
    """
    above = node.alias("above")
    read = select(above.c.id).where(above.c.state == constant(State.done))
    forget_unseen_repeats(connection)
    refused = select(node.c.id).where(node.c.run == AWAITS_RULE, IS_ERROR, node.c.parent.in_(read))
    # Another page, which could not be read, may still show it.
    drop(connection, connection.scalars(refused.where(node.c.id.not_in(select(repeat.c.node)))).all())
    not_seen = (node.c.run.in_((0, AWAITS_RULE)), node.c.parent.in_(read))
    total = int(connection.execute(update(node).where(*not_seen).values(run=-run)).rowcount)
    found = None
    while found != 0:
        # Layer by layer: a page that is not linked any more, in this run or an earlier one, is read all the same, and
        # what it shows is gone for as long as it is.
        gone = select(above.c.id).where(above.c.run < AWAITS_RULE)
        elsewhere = select(repeat.c.node).join(above, above.c.id == repeat.c.parent).where(above.c.run >= 0)
        below = update(node).where(node.c.run >= 0, node.c.parent.in_(gone), node.c.id.not_in(elsewhere))
        since = select(above.c.run).where(above.c.id == node.c.parent).scalar_subquery()
        found = connection.execute(below.values(run=since)).rowcount
        total += found
    _forgive(connection)
    return total


def _forgive(connection: Connection) -> None:
    """What is gone from the site is no failure any more: removed, unless something hangs on it.

    Of a page that was read once all stays as it was read, or an album that is taken off the site would fail for ever.
    """
    below, others = node.alias("below"), select(repeat.c.node)
    gone = (IS_ERROR, node.c.run < AWAITS_RULE)
    bare = select(node.c.id).where(*gone, node.c.id.not_in(select(below.c.parent)), node.c.id.not_in(others))
    while drop(connection, connection.scalars(bare).all()):
        pass  # a page whose last picture was removed is bare now
    done = {"state": State.done.value, "reason": None, "message": None}
    connection.execute(update(node).where(*gone, IS_PAGE).values(done))
