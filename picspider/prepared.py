"""Statements compiled once, for paths where SQLAlchemy's compiling and binding would cost more than the database.

A lookup of one row costs SQLite 3 µs and, through SQLAlchemy's `execute`, 100 µs. Written and checked by SQLAlchemy
Core they stay; only the way to the driver is shorter.
"""

from __future__ import annotations

import json
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from sqlalchemy import ARRAY, BigInteger, Text, any_, bindparam, func, not_, select

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sqlalchemy import ColumnElement, Connection, Dialect
    from sqlalchemy.sql.expression import Executable


class Prepared:
    """*statement* as text of *dialect*; its parameters are given as tuples in the order of *names*.

    Constants in it have to be `literal_column`s. Raises ValueError when *names* are not its parameters.
    """

    __slots__ = ("_fixed", "_in_order", "sql")

    def __init__(self, statement: Executable, names: Sequence[str], dialect: Dialect, *, columns: bool = False) -> None:
        # `columns`: an INSERT of just these columns.
        compiled: Any = statement.compile(dialect=dialect, column_keys=list(names) if columns else None)  # type: ignore[attr-defined]  # every statement can
        self.sql = str(compiled)
        order: list[str] = list(compiled.positiontup or ())
        if not set(names) <= set(order) or (columns and len(names) != len(order)):
            raise ValueError(f"the statement asks for {order}, not for {list(names)}")
        self._in_order: Callable[[Sequence[Any]], Any] | None = None
        self._fixed: tuple[Any, ...] = ()
        if order != list(names):
            fixed = [name for name in order if name not in names]
            self._fixed = tuple(compiled.params[name] for name in fixed)
            self._in_order = itemgetter(*([*names, *fixed].index(name) for name in order))

    def bind(self, values: Sequence[Any]) -> Sequence[Any]:
        """*values*, given in the order of the names, in the order that the text asks for."""
        return values if self._in_order is None else self._in_order((*values, *self._fixed))

    def run(self, connection: Connection, values: Sequence[Any] = ()) -> Any:
        """Execute once, in the transaction that was begun on *connection*; the driver's cursor, ready to be read."""
        return raw_of(connection).execute(self.sql, self.bind(values))

    def run_many(self, connection: Connection, rows: Sequence[Sequence[Any]]) -> None:
        """Execute for each of *rows*, in the transaction that was begun on *connection*."""
        if rows:
            bound = rows if self._in_order is None else [self.bind(row) for row in rows]
            raw_of(connection).cursor().executemany(self.sql, bound)

    def first(self, raw: Any, values: Sequence[Any]) -> Any:
        """The first row, asked straight from the driver's connection *raw*; None when there is none."""
        return raw.execute(self.sql, self.bind(values)).fetchone()


def raw_of(connection: Connection) -> Any:
    """The driver's own connection behind *connection*."""
    return connection.connection.driver_connection


def one_of(column: ColumnElement[Any], name: str, dialect: Dialect) -> ColumnElement[bool]:
    """Whether *column* is in the list that the parameter *name* holds; see `as_list`."""
    if dialect.name == "sqlite":
        values = func.json_each(bindparam(name, type_=Text)).table_valued("value")
        return column.in_(select(values.c.value))
    kind = BigInteger if isinstance(column.type, BigInteger) else Text
    return column == any_(bindparam(name, type_=ARRAY(kind)))


def none_of(column: ColumnElement[Any], name: str, dialect: Dialect) -> ColumnElement[bool]:
    """The opposite of `one_of`."""
    return not_(one_of(column, name, dialect))


def as_list(values: Iterable[Any], dialect: Dialect) -> Any:
    """*values* as the parameter of `one_of` wants them."""
    return json.dumps(list(values)) if dialect.name == "sqlite" else list(values)
