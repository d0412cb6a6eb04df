"""Rows that go back to waiting: fetched again, or not fetched after all."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import update

from picspider.prepared import Prepared, as_list, one_of
from picspider.schema import State, constant, node

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sqlalchemy import ColumnElement, Connection, Dialect, Update

# A statement takes a limited number of parameters.
ROWS_AT_ONCE = 500
T = TypeVar("T")


def to_waiting(*which: ColumnElement[bool]) -> Update:
    """The statement that has the rows *which* wait, as if for the first time: no word of an earlier end stays.

    But for what a page showed: by that its chain of next pages is judged until it is read again.
    """
    nothing = dict.fromkeys(("worker", "reason", "message", "status"))
    return update(node).where(*which).values(state=constant(State.waiting), **nothing)


@lru_cache(maxsize=4)
def _by_id(dialect: Dialect) -> Prepared:
    return Prepared(to_waiting(one_of(node.c.id, "rows", dialect)), ("rows",), dialect)


def set_waiting(connection: Connection, rows: Iterable[int]) -> None:
    """Have *rows* wait, however many they are."""
    _by_id(connection.dialect).run(connection, (as_list(rows, connection.dialect),))


def portions(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    """*rows*, or what else they are found by, as many at once as one statement may name."""
    for start in range(0, len(rows), ROWS_AT_ONCE):
        yield rows[start : start + ROWS_AT_ONCE]
