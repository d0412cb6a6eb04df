"""One statement for many rows: on PostgreSQL their columns go over as arrays, on SQLite they go row after row.

A statement a row costs PostgreSQL and its client 50 µs of talk; SQLite has nobody to talk to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import ARRAY, BigInteger, Float, Integer, String, Text, bindparam, column, func, insert, select, update
from sqlalchemy.dialects.sqlite import insert as insert_on_sqlite

from picspider.prepared import Prepared, raw_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Column, Connection, Dialect, Table, TableValuedAlias
    from sqlalchemy.types import TypeEngine


class Bulk(Prepared):
    """A statement on PostgreSQL that takes each column of its rows as an array; *names* are the columns in order."""

    __slots__ = ()

    def bind_rows(self, rows: Sequence[Sequence[Any]]) -> Sequence[Any]:
        """The parameters for *rows*."""
        return self.bind([list(values) for values in zip(*rows, strict=True)])

    def run_many(self, connection: Connection, rows: Sequence[Sequence[Any]]) -> None:
        """Execute for all *rows*, in the transaction that was begun on *connection*."""
        if rows:
            raw_of(connection).execute(self.sql, self.bind_rows(rows))

    def returned(self, raw: Any, rows: Sequence[Sequence[Any]]) -> list[Any]:
        """Execute for all *rows* on the driver's connection *raw*; what the statement returns."""
        return list(raw.execute(self.sql, self.bind_rows(rows))) if rows else []


def insert_new(table: Table, names: Sequence[str], dialect: Dialect, *returning: Column[Any]) -> Prepared:
    """Inserts rows and leaves those that are there already as they are; `returning`: of new ones, on PostgreSQL."""
    if dialect.name == "sqlite":
        return Prepared(insert_on_sqlite(table).on_conflict_do_nothing(), names, dialect, columns=True)
    statement = _insert_of_arrays(table, names).on_conflict_do_nothing()
    return Bulk(statement.returning(*returning) if returning else statement, names, dialect)


def insert_anew(table: Table, names: Sequence[str], dialect: Dialect, key: str) -> Prepared:
    """Inserts rows, or writes them over those of the same *key*."""
    if dialect.name == "sqlite":
        return Prepared(insert(table).prefix_with("OR REPLACE"), names, dialect, columns=True)
    statement = _insert_of_arrays(table, names)
    news = {name: statement.excluded[name] for name in names if name != key}
    return Bulk(statement.on_conflict_do_update(index_elements=[key], set_=news), names, dialect)


def update_by_id(table: Table, names: Sequence[str], dialect: Dialect) -> Prepared:
    """Sets the columns *names* of rows; the last name is "row", the id of the row to be set."""
    columns = {name: table.c[name] for name in names if name != "row"}
    if dialect.name == "sqlite":
        by_id = update(table).where(table.c.id == bindparam("row"))
        return Prepared(by_id.values({name: bindparam(name) for name in columns}), names, dialect)
    given = _arrays({**columns, "row": table.c.id}, names)
    by_id = update(table).where(table.c.id == given.c.row)
    return Bulk(by_id.values({name: given.c[name] for name in columns}), names, dialect)


def _insert_of_arrays(table: Table, names: Sequence[str]) -> Any:
    from sqlalchemy.dialects.postgresql import insert as insert_on_postgresql  # noqa: PLC0415 - slow to import

    given = _arrays({name: table.c[name] for name in names}, names)
    return insert_on_postgresql(table).from_select(list(names), select(*(given.c[name] for name in names)))


def _arrays(columns: Mapping[str, Column[Any]], names: Sequence[str]) -> TableValuedAlias:
    kinds = {name: _kind(columns[name].type) for name in names}
    arrays = [bindparam(name, type_=ARRAY(kind)) for name, kind in kinds.items()]
    given = func.unnest(*arrays).table_valued(*(column(name, kind) for name, kind in kinds.items()))
    return given.render_derived(name="given")


def _kind(kind: TypeEngine[Any]) -> type[TypeEngine[Any]]:
    # Text without a length, as a cast to VARCHAR(20) would cut without a word.
    return Text if isinstance(kind, String) else Float if isinstance(kind, Float) else _integer(kind)


def _integer(kind: TypeEngine[Any]) -> type[TypeEngine[Any]]:
    return BigInteger if isinstance(kind, BigInteger) else Integer
