"""One turn of the frontier: sightings go in, outcomes are written, rows to fetch come out, in one transaction.

So no commit ever holds a page marked done without its links (*a page is done when its links are in the table*), and
whatever is killed between two turns is at most repeated, never lost.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, insert, literal_column, select, update

from picspider.frontier.outcomes import write_outcomes
from picspider.records import Row
from picspider.schema import KindCode, State, node, repeat

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection

    from picspider.frontier.store import Store
    from picspider.records import Outcome, Sighting

WAITING, RUNNING = literal_column(str(State.waiting.value)), literal_column(str(State.running.value))
KIND_NAMES = {code.value: code.name for code in KindCode}
LOOKUP_CHUNK = 500


@dataclass(slots=True)
class Batch:
    """What has gathered in memory since the last turn.

    `repeats` are sightings already known by the cache, each with the row it repeats; `give_back` are rows taken
    out too early: better ones have come in.
    """

    sightings: list[Sighting] = field(default_factory=list)
    repeats: list[tuple[int, Sighting]] = field(default_factory=list)
    outcomes: dict[int, Outcome] = field(default_factory=dict)
    give_back: list[int] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.sightings or self.repeats or self.outcomes or self.give_back)


@dataclass(frozen=True, slots=True)
class Want:
    """What to take out: at most `count` rows, none of `not_hosts`, pictures only if `pages` is false."""

    count: int
    not_hosts: tuple[str, ...] = ()
    pages: bool = True
    pictures: bool = True


@dataclass(slots=True)
class Turned:
    """What a turn did: rows to fetch; where each sighting's URL is now known, as URL → (row, its parent)."""

    rows: list[Row] = field(default_factory=list)
    known: dict[str, tuple[int, int]] = field(default_factory=dict)
    new: int = 0
    repeats: int = 0
    best: tuple[int, int] | None = None


def turn(store: Store, batch: Batch, want: Want) -> Turned:
    """Write *batch* and take *want* in one transaction of *store*."""
    turned = Turned()
    with store.transaction() as connection:
        if batch.sightings:
            _enter(store, connection, batch, turned)
        if batch.repeats:
            _write_repeats(connection, batch.repeats)
            turned.repeats += len(batch.repeats)
        if batch.outcomes:
            write_outcomes(connection, batch.outcomes)
        if batch.give_back:
            _give_back(connection, batch.give_back)
        if want.count:
            turned.rows = _take(store, connection, want)
    return turned


def _enter(store: Store, connection: Connection, batch: Batch, turned: Turned) -> None:
    known = _lookup(connection, {sighting.key for sighting in batch.sightings})
    fresh: list[Sighting] = []
    first_of: dict[int, Sighting] = {}
    later: list[Sighting] = []
    for sighting in batch.sightings:
        if sighting.key in known or sighting.key in first_of:
            later.append(sighting)
        else:
            first_of[sighting.key] = sighting
            fresh.append(sighting)
    if fresh:
        _insert(store, connection, fresh, known)
    turned.new += len(fresh)
    for sighting in fresh:
        row, parent, _run = known[sighting.key]
        turned.known[sighting.url] = (row, parent)
    _note_later(store, connection, later, known, turned)
    if fresh:
        turned.best = max((sighting.priority, -sighting.rank) for sighting in fresh)


def _lookup(connection: Connection, keys: set[int]) -> dict[int, tuple[int, int, int]]:
    known: dict[int, tuple[int, int, int]] = {}
    ordered = list(keys)
    for start in range(0, len(ordered), LOOKUP_CHUNK):
        query = select(node.c.key, node.c.id, node.c.parent, node.c.run).where(
            node.c.key.in_(ordered[start : start + LOOKUP_CHUNK])
        )
        for key, row, parent, seen_run in connection.execute(query):
            known[key] = (row, parent, seen_run)
    return known


def _insert(
    store: Store, connection: Connection, fresh: Sequence[Sighting], known: dict[int, tuple[int, int, int]]
) -> None:
    ids = store.reserve_ids(len(fresh))
    rows = [_row_values(store, row_id, sighting) for row_id, sighting in zip(ids, fresh, strict=True)]
    if not store.shared:
        connection.execute(insert(node), rows)
        for row_id, sighting in zip(ids, fresh, strict=True):
            known[sighting.key] = (row_id, sighting.parent, store.run)
        return
    from sqlalchemy.dialects.postgresql import insert as pg_insert  # noqa: PLC0415 - only for shared stores

    # Another worker may have entered the same URL meanwhile: the table decides whose row it is.
    connection.execute(pg_insert(node).on_conflict_do_nothing(), rows)
    known.update(_lookup(connection, {sighting.key for sighting in fresh}))


def _row_values(store: Store, row_id: int, sighting: Sighting) -> dict[str, Any]:
    return {
        "id": row_id,
        "key": sighting.key,
        "url": sighting.url,
        "host": sighting.host,
        "layer": sighting.layer,
        "page": sighting.page,
        "kind": KindCode[sighting.kind].value,
        "parent": sighting.parent,
        "position": sighting.position,
        "chain": sighting.chain or row_id,
        "rank": sighting.rank or row_id,
        "priority": sighting.priority,
        "state": State.waiting.value,
        "attempts": 0,
        "text": sighting.text,
        "run": store.run,
        "request": sighting.request,
    }


def _note_later(
    store: Store,
    connection: Connection,
    later: Iterable[Sighting],
    known: Mapping[int, tuple[int, int, int]],
    turned: Turned,
) -> None:
    repeats: list[tuple[int, Sighting]] = []
    seen_again: set[int] = set()
    for sighting in later:
        row, parent, seen_run = known[sighting.key]
        turned.known[sighting.url] = (row, parent)
        if seen_run != store.run:
            seen_again.add(row)
        if sighting.again or (parent != sighting.parent and sighting.parent):
            repeats.append((row, sighting))
    if repeats:
        _write_repeats(connection, repeats)
        turned.repeats += len(repeats)
    if seen_again:
        connection.execute(
            update(node).where(node.c.id == bindparam("row")).values(run=store.run),
            [{"row": row} for row in seen_again],
        )


def _write_repeats(connection: Connection, repeats: Iterable[tuple[int, Sighting]]) -> None:
    values = [
        {
            "node": row,
            "url": sighting.url,
            "parent": sighting.parent,
            "layer": sighting.layer,
            "page": sighting.page,
            "position": sighting.position,
            "again": int(sighting.again),
            "by": "url",
            "later": 0,
        }
        for row, sighting in repeats
    ]
    insert_once(connection, repeat, values)


def insert_once(connection: Connection, table: Any, values: list[dict[str, Any]]) -> None:
    """Insert *values* into *table*; rows that are there already stay as they are."""
    if connection.dialect.name == "sqlite":
        connection.execute(insert(table).prefix_with("OR IGNORE"), values)
    else:
        from sqlalchemy.dialects.postgresql import insert as pg_insert  # noqa: PLC0415 - only for shared stores

        connection.execute(pg_insert(table).on_conflict_do_nothing(), values)


def _give_back(connection: Connection, rows: Iterable[int]) -> None:
    connection.execute(
        update(node).where(node.c.id == bindparam("row")).values(state=State.waiting.value, worker=None),
        [{"row": row} for row in rows],
    )


def _take(store: Store, connection: Connection, want: Want) -> list[Row]:
    choice = select(node.c.id).where(node.c.state == WAITING)
    if want.not_hosts:
        choice = choice.where(node.c.host.not_in(want.not_hosts))
    if not want.pages:
        choice = choice.where(node.c.kind == KindCode.picture.value)
    if not want.pictures:
        choice = choice.where(node.c.kind == KindCode.page.value)
    choice = choice.order_by(node.c.priority.desc(), node.c.rank, node.c.id).limit(want.count)
    if store.shared:
        choice = choice.with_for_update(skip_locked=True)
    claimed = connection.execute(
        update(node)
        .where(node.c.id.in_(choice.scalar_subquery() if store.shared else choice))
        .values(state=State.running.value, worker=store.worker, time=time.time())
        .returning(*(node.c[name] for name in _TAKEN), node.c.priority)
    ).all()
    claimed.sort(key=lambda row: (-row.priority, row.rank, row.id))
    urls = _parent_urls(connection, {row.parent for row in claimed if row.parent})
    return [
        Row(
            id=row.id,
            url=row.url,
            host=row.host,
            layer=row.layer,
            page=row.page,
            kind=KIND_NAMES[row.kind],  # type: ignore[arg-type]  # the enum's names are the kinds
            parent=row.parent,
            parent_url=urls.get(row.parent),
            position=row.position,
            chain=row.chain,
            text=row.text,
            attempts=row.attempts,
            request=row.request,
        )
        for row in claimed
    ]


_TAKEN = ("id", "url", "host", "layer", "page", "kind", "parent", "position", "chain", "rank", "text", "attempts",
          "request")


def _parent_urls(connection: Connection, parents: set[int]) -> dict[int, str]:
    if not parents:
        return {}
    query = select(node.c.id, node.c.url, node.c.final_url).where(node.c.id.in_(parents))
    return {row: final or url for row, url, final in connection.execute(query)}
