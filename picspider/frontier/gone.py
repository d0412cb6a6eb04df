"""What a site does not show any more: told when its pages have been read again, at the end of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select, update

from picspider.schema import State, constant, node

if TYPE_CHECKING:
    from sqlalchemy import Connection


def note_gone(connection: Connection, run: int) -> int:
    """At the end of *run*: mark the rows that their pages, read again, do not show any more, and what hangs on such
    rows alone; returns how many. Of pages that could not be read nothing is said. What is stored stays.
    """
    above = node.alias("above")
    read = select(above.c.id).where(above.c.state == constant(State.done))
    unseen = connection.execute(update(node).where(node.c.run == 0, node.c.parent.in_(read)).values(run=-run)).rowcount
    found, total = unseen, unseen
    while found:
        # Layer by layer: pictures of a page that is not linked any more were not looked for.
        gone = select(above.c.id).where(above.c.run == -run)
        below = update(node).where(node.c.run >= 0, node.c.run != run, node.c.parent.in_(gone))
        found = connection.execute(below.values(run=-run)).rowcount
        total += found
    return total
