from __future__ import annotations

import pytest
from sqlalchemy import Integer, bindparam, create_engine, insert, select, update

from picspider.prepared import Prepared, as_list, none_of, one_of, raw_of
from picspider.schema import meta, metadata


def test_statements_run_with_values_in_the_order_of_the_names() -> None:
    """Insert, update, select: by tuples, through SQLAlchemy's transaction or straight from the driver."""
    engine = create_engine("sqlite://")
    dialect = engine.dialect
    with engine.begin() as connection:
        metadata.create_all(connection)
        Prepared(insert(meta), ("value", "key"), dialect, columns=True).run_many(
            connection, [("1", "a"), ("2", "b"), ("3", "c")]
        )
        change = update(meta).where(meta.c.key == bindparam("which")).values(value=bindparam("new"))
        Prepared(change, ("which", "new"), dialect).run(connection, ("b", "20"))
        some = select(meta.c.value).where(one_of(meta.c.key, "keys", dialect)).limit(bindparam("most", type_=Integer))
        found = Prepared(some, ("keys", "most"), dialect).run(connection, (as_list(["b", "c"], dialect), 1))
        assert list(found) == [("20",)]
        others = Prepared(select(meta.c.value).where(none_of(meta.c.key, "keys", dialect)), ("keys",), dialect)
        assert others.first(raw_of(connection), (as_list(["b", "c"], dialect),)) == ("1",)


def test_wrong_names_are_refused() -> None:
    """A name that the statement does not know, or an insert that leaves a column with a default to SQLAlchemy."""
    dialect = create_engine("sqlite://").dialect
    with pytest.raises(ValueError, match="asks for"):
        Prepared(select(meta.c.value), ("key",), dialect)
