"""Sightings on their way into the table: the first of a URL becomes a row, later ones become repeats."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import select

from picspider.frontier.run.rejudge import AWAITS_RULE, NOT_SEEN_YET, reopen
from picspider.frontier.store.bulk import Bulk, insert_new, update_by_id
from picspider.frontier.turn.lifting import lift
from picspider.prepared import Prepared, as_list, one_of, raw_of
from picspider.schema import KIND_CODES, State, alias, node, repeat

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import Connection, Dialect

    from picspider.frontier.store.store import Store
    from picspider.frontier.turn.batch import Turned
    from picspider.records import Sighting

WAITING = State.waiting.value
# `run` of rows whose pages are read again, and have not shown them yet.
UNSEEN = (0, AWAITS_RULE)
NODE_COLUMNS = (
    "id", "key", "url", "host", "layer", "page", "kind", "parent", "position", "chain", "rank", "priority", "state",
    "attempts", "text", "run", "request",
)  # fmt: skip
REPEAT_COLUMNS = ("node", "url", "parent", "layer", "page", "position", "again", "by", "later", "text")
PLACE_COLUMNS = ("run", "parent", "position", "chain", "page", "layer", "kind", "row")


class Known(NamedTuple):
    """A row as far as a sighting needs to know it. `run` 0 or less: its page is read again and has not shown it yet."""

    row: int
    parent: int
    run: int
    kind: int


class Statements:
    """What entering executes, prepared for one dialect."""

    def __init__(self, dialect: Dialect) -> None:
        known = select(node.c.key, node.c.id, node.c.parent, node.c.run, node.c.kind)
        self.known = Prepared(known.where(one_of(node.c.key, "keys", dialect)), ("keys",), dialect)
        moved = select(alias.c.key, node.c.id, node.c.parent, node.c.run, node.c.kind)
        moved = moved.join_from(alias, node, node.c.id == alias.c.node)
        self.moved = Prepared(moved.where(one_of(alias.c.key, "keys", dialect)), ("keys",), dialect)
        self.insert = insert_new(node, NODE_COLUMNS, dialect, node.c.key)
        self.repeat = insert_new(repeat, REPEAT_COLUMNS, dialect)
        self.place = update_by_id(node, PLACE_COLUMNS, dialect)


@lru_cache(maxsize=4)
def statements_of(dialect: Dialect) -> Statements:
    """The statements for *dialect*."""
    return Statements(dialect)


def enter(store: Store, connection: Connection, sightings: Sequence[Sighting], turned: Turned) -> None:
    """Write *sightings*, in their order; notes in *turned* what is known of them now."""
    known = lookup(store, connection, {sighting.key for sighting in sightings})
    fresh: dict[int, Sighting] = {}
    later: list[Sighting] = []
    for sighting in sightings:
        if sighting.key in known or sighting.key in fresh:
            later.append(sighting)
        else:
            fresh[sighting.key] = sighting
    if fresh:
        later = _insert(store, connection, fresh, known) + later
    turned.new += len(fresh)
    for sighting in fresh.values():
        row = known[sighting.key]
        turned.known[sighting.token or sighting.url] = (row.row, row.parent)
    _note_later(store, connection, later, known, turned)


def lookup(store: Store, connection: Connection, keys: set[int]) -> dict[int, Known]:
    """The rows that are known by *keys*, or by where their redirects ended."""
    statements = statements_of(connection.dialect)
    dialect = connection.dialect
    known = {key: Known(*rest) for key, *rest in statements.known.run(connection, (as_list(keys, dialect),))}
    missing = keys - known.keys()
    if missing and store.has_aliases:
        for key, *rest in statements.moved.run(connection, (as_list(missing, dialect),)):
            known[key] = Known(*rest)
    return known


def _insert(
    store: Store, connection: Connection, fresh: dict[int, Sighting], known: dict[int, Known]
) -> list[Sighting]:
    """Insert *fresh* and note them in *known*; returns those that another worker was faster with."""
    ids = store.reserve_ids(len(fresh))
    rows = [_values(store.run, row, sighting) for row, sighting in zip(ids, fresh.values(), strict=True)]
    for row in rows:
        known[row[1]] = Known(row[0], row[7], store.run, row[6])
    insert = statements_of(connection.dialect).insert
    if not isinstance(insert, Bulk):
        insert.run_many(connection, rows)
        return []
    # Every worker inserts in order of the key, so that two of them never wait for each other.
    won = {key for (key,) in insert.returned(raw_of(connection), sorted(rows, key=lambda row: row[1]))}
    lost = [fresh.pop(key) for key in list(fresh) if key not in won]
    if lost:
        known.update(lookup(store, connection, {sighting.key for sighting in lost}))
    return lost


def _values(run: int, row: int, sighting: Sighting) -> tuple[Any, ...]:
    return (
        row, sighting.key, sighting.url, sighting.host, sighting.layer, sighting.page, KIND_CODES[sighting.kind],
        sighting.parent, sighting.position, sighting.chain or row, sighting.rank or row, sighting.priority, WAITING,
        0, sighting.text, run, sighting.request,
    )  # fmt: skip


def _note_later(
    store: Store, connection: Connection, later: Iterable[Sighting], known: dict[int, Known], turned: Turned
) -> None:
    repeats: list[tuple[int, Sighting]] = []
    placed: list[tuple[Known, Sighting]] = []
    lifts: dict[int, int] = {}
    for sighting in later:
        row = known[sighting.key]
        if sighting.lifts:
            lifts[row.row] = max(sighting.priority, lifts.get(row.row, sighting.priority))
        if row.run <= 0 and sighting.repeats:
            # Its page is being read again: this is where it stands now. (Pages of a focused crawl link each other: the
            # first sighting is where they stay, or two would become each other's parent.)
            placed.append((row, sighting))
            known[sighting.key] = row = Known(row.row, sighting.parent, store.run, row.kind)
        elif sighting.repeats and is_repeat(sighting, row.parent):
            repeats.append((row.row, sighting))
        turned.known[sighting.token or sighting.url] = (row.row, row.parent)
    if lifts:
        lift(connection, lifts)
    if placed:
        _place(store, connection, placed, turned)
    if repeats:
        write_repeats(connection, repeats)
        turned.repeats += len(repeats)


def is_repeat(sighting: Sighting, parent: int) -> bool:
    """Whether *sighting* of a row whose page is *parent* is another link, not the same one looked at again."""
    return sighting.again or bool(sighting.parent and parent != sighting.parent)


def _place(store: Store, connection: Connection, placed: Sequence[tuple[Known, Sighting]], turned: Turned) -> None:
    """Note where rows stand now; each is given as it was known before."""
    again = [
        row.row
        for row, s in placed
        # A failure that the new rule takes; a page that it takes for a picture, or the other way round.
        if row.run == AWAITS_RULE or row.kind != KIND_CODES[s.kind]
    ]
    if again:
        turned.reopened += reopen(connection, node.c.id.in_(again))
    _keep_places(connection, [row.row for row, s in placed if row.run in UNSEEN and row.parent not in (0, s.parent)])
    statements_of(connection.dialect).place.run_many(
        connection,
        [
            (store.run, s.parent, s.position, s.chain or row.row, s.page, s.layer, KIND_CODES[s.kind], row.row)
            for row, s in sorted(placed)
        ],
    )


def _keep_places(connection: Connection, rows: Sequence[int]) -> None:
    """Note where *rows* stood as repeats that were not seen yet: if that page cannot be read they stand there still."""
    if not rows:
        return
    place = (node.c.url, node.c.parent, node.c.layer, node.c.page, node.c.position)
    query = select(node.c.id, *place, node.c.text).where(node.c.id.in_(rows), node.c.page == 1)
    stood = [(row, *at, NOT_SEEN_YET, "url", 0, text) for row, *at, text in connection.execute(query)]
    statements_of(connection.dialect).repeat.run_many(connection, stood)


def write_repeats(connection: Connection, repeats: Iterable[tuple[int, Sighting]]) -> None:
    """Note later sightings by URL, as (row, sighting); each link of a page once."""
    rows = [(row, s.url, s.parent, s.layer, s.page, s.position, int(s.again), "url", 0, s.text) for row, s in repeats]
    statements_of(connection.dialect).repeat.run_many(connection, rows)
