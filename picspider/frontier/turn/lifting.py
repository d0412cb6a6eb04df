"""Waiting rows that are worth more than they seemed: of several sightings the most promising one counts."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, update

from picspider.prepared import Prepared
from picspider.schema import IS_WAITING, node

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection, Dialect


@lru_cache(maxsize=4)
def _raise(dialect: Dialect) -> Prepared:
    statement = (
        update(node)
        .where(
            node.c.id == bindparam("row"),
            IS_WAITING,
            node.c.priority < bindparam("least"),
        )
        .values(priority=bindparam("priority"))
    )
    return Prepared(statement, ("priority", "row", "least"), dialect)


def lift(connection: Connection, priorities: Mapping[int, int]) -> None:
    """Give each row of *priorities* (row id → priority) that priority, if it waits with a lower one."""
    # In order of the row, so that two workers never wait for each other.
    rows = [(priority, row, priority) for row, priority in sorted(priorities.items())]
    _raise(connection.dialect).run_many(connection, rows)
