"""Rows on their way out of the table: the first waiting ones by the order of the crawl become running."""

from __future__ import annotations

import time
from functools import lru_cache
from typing import TYPE_CHECKING

from sqlalchemy import Integer, Select, bindparam, func, select, update

from picspider.prepared import Prepared, as_list, none_of, one_of
from picspider.records import Row
from picspider.schema import IS_PAGE, IS_PICTURE, IS_WAITING, KIND_NAMES, State, constant, node

if TYPE_CHECKING:
    from sqlalchemy import Connection, Dialect

    from picspider.frontier.store.store import Store
    from picspider.frontier.turn.batch import Want


@lru_cache(maxsize=16)
def choose(dialect: Dialect, *, hosts: bool, pages: bool, pictures: bool) -> Prepared:
    """Selects the rows to take; parameters: count, and the hosts to leave out if `hosts`."""
    above = node.alias("above")
    query: Select[tuple[object, ...]] = (
        select(
            node.c.id,
            node.c.url,
            node.c.host,
            node.c.layer,
            node.c.page,
            node.c.kind,
            node.c.parent,
            func.coalesce(above.c.final_url, above.c.url),
            node.c.position,
            node.c.chain,
            node.c.text,
            node.c.request,
            node.c.priority,
        )
        .join_from(node, above, above.c.id == node.c.parent, isouter=True)
        .where(IS_WAITING)
        .order_by(node.c.priority.desc(), node.c.rank, node.c.id)
        .limit(bindparam("count", type_=Integer))
    )
    if hosts:
        query = query.where(none_of(node.c.host, "hosts", dialect))
    if not pages:
        query = query.where(IS_PICTURE)
    if not pictures:
        query = query.where(IS_PAGE)
    if dialect.name == "postgresql":
        query = query.with_for_update(of=node, skip_locked=True)
    return Prepared(query, ("hosts", "count") if hosts else ("count",), dialect)


@lru_cache(maxsize=4)
def mark(dialect: Dialect) -> Prepared:
    """Marks rows as running; parameters: worker, time, rows."""
    statement = update(node).where(one_of(node.c.id, "rows", dialect))
    statement = statement.values(state=constant(State.running), worker=bindparam("who"), time=bindparam("now"))
    return Prepared(statement, ("who", "now", "rows"), dialect)


def take(store: Store, connection: Connection, want: Want) -> list[Row]:
    """Take *want* out for the worker of *store*, in order."""
    dialect = connection.dialect
    statement = choose(dialect, hosts=bool(want.not_hosts), pages=want.pages, pictures=want.pictures)
    values = (as_list(want.not_hosts, dialect), want.count) if want.not_hosts else (want.count,)
    rows = [
        Row(row, url, host, layer, page, KIND_NAMES[kind], parent, above, position, chain, text, *rest)
        for (
            row, url, host, layer, page, kind, parent, above, position, chain, text, *rest,
        ) in statement.run(connection, values)
    ]  # fmt: skip
    now = time.time()
    who = store.worker if store.shared else None
    if rows:
        mark(dialect).run(connection, (who, now, as_list((row.id for row in rows), dialect)))
    return rows
