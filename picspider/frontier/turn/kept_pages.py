"""The facts of pages on the topic, in the table that hangs on their rows."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, insert

from picspider.prepared import Prepared
from picspider.records import KeptPage
from picspider.schema import kept_page

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sqlalchemy import Connection, Dialect

COLUMNS = (
    "node", "file", "text_file", "title", "content_type", "bytes", "date", "title_cosine", "body_cosine",
)  # fmt: skip


class Statements:
    """What is executed, prepared for one dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self.insert = Prepared(insert(kept_page), COLUMNS, dialect, columns=True)
        self.forget = Prepared(kept_page.delete().where(kept_page.c.node == bindparam("row")), ("row",), dialect)


@lru_cache(maxsize=4)
def statements_of(dialect: Dialect) -> Statements:
    """The statements for *dialect*."""
    return Statements(dialect)


def write_kept(connection: Connection, outcomes: Mapping[int, Any], _now: float) -> None:
    """Note the pages among *outcomes* (row id → `PageRead`) that are kept."""
    rows = [(row, read.kept) for row, read in outcomes.items() if read.kept is not None]
    if rows:
        forget(connection, (row for row, _ in rows))
        statements_of(connection.dialect).insert.run_many(connection, [(row, *_facts(kept)) for row, kept in rows])


def forget(connection: Connection, rows: Iterable[int]) -> None:
    """The pages *rows* are not kept, or no more."""
    statements_of(connection.dialect).forget.run_many(connection, [(row,) for row in rows])


def _facts(kept: KeptPage) -> tuple[Any, ...]:
    return tuple(getattr(kept, name) for name in COLUMNS[1:])
