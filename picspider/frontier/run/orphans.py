"""Repeats by content whose original was lost after all: its file could not be written, though its bytes had come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from picspider.frontier.run.rejudge import reopen
from picspider.frontier.store.waiting import portions
from picspider.records import Lost, Repeated
from picspider.schema import IS_ERROR, IS_PICTURE, node, repeat

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from picspider.records import Outcome


def reopen_orphans(connection: Connection, outcomes: Mapping[int, Outcome]) -> int:
    """Of *outcomes* that have just been written (row → outcome), fetch again what is the same as a failure; how many.

    Either of the two may have been written first.
    """
    originals = [row for row, outcome in outcomes.items() if isinstance(outcome, Lost)]
    originals += [one.original for one in outcomes.values() if isinstance(one, Repeated) and one.by == "content"]
    reopened = 0
    for portion in portions(originals):
        lost = select(node.c.id).where(node.c.id.in_(portion), IS_ERROR, IS_PICTURE)
        same = select(repeat.c.later).where(repeat.c.node.in_(lost), repeat.c.by == "content", repeat.c.later != 0)
        rows = connection.scalars(same).all()
        reopened += sum(reopen(connection, node.c.id.in_(some)) for some in portions(rows))
    return reopened
