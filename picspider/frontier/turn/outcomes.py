"""What became of rows, written to the store: one writer per kind of outcome, one line each in `WRITERS`."""

from __future__ import annotations

import time
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from picspider.frontier.store.bulk import insert_anew, insert_new, update_by_id
from picspider.frontier.turn.kept_pages import forget, write_kept
from picspider.prepared import Prepared, as_list, one_of
from picspider.records import PageRead, Repeated, Skipped, Stored
from picspider.schema import REPEAT_REASON, State, alias, claim, node, picture, repeat, skip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from sqlalchemy import Connection, Dialect

    from picspider.frontier.store.store import Store
    from picspider.records import Outcome

# In the order of the table, so that nothing has to be moved about for each row.
END_COLUMNS = (
    "final_url", "state", "attempts", "status", "reason", "message", "worker", "content", "links", "stated", "score",
    "time", "row",
)  # fmt: skip
PICTURE_COLUMNS = (
    "node", "file", "file_key", "sha256", "sha_key", "width", "height", "format", "bytes", "time",
)  # fmt: skip
SKIP_COLUMNS = ("node", "width", "height", "bytes")
REPEAT_COLUMNS = ("node", "url", "parent", "layer", "page", "position", "again", "by", "later", "sha256")
DONE, ERROR = State.done.value, State.error.value


class Statements:
    """What ending rows executes, prepared for one dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self.end = update_by_id(node, END_COLUMNS, dialect)
        self.picture = insert_anew(picture, PICTURE_COLUMNS, dialect, "node")
        self.skip = insert_anew(skip, SKIP_COLUMNS, dialect, "node")
        self.alias = insert_anew(alias, ("key", "node"), dialect, "key")
        self.repeat = insert_new(repeat, REPEAT_COLUMNS, dialect)
        self.unclaim = Prepared(claim.delete().where(one_of(claim.c.node, "rows", dialect)), ("rows",), dialect)


@lru_cache(maxsize=4)
def statements_of(dialect: Dialect) -> Statements:
    """The statements for *dialect*."""
    return Statements(dialect)


def write_outcomes(
    store: Store, connection: Connection, outcomes: Mapping[int, Outcome], aliases: Mapping[int, int]
) -> None:
    """End the rows of *outcomes* (row id → outcome) and write what hangs on them; *aliases*: see `Batch`."""
    now = time.time()
    statements = statements_of(connection.dialect)
    rows = sorted(outcomes.items()) if store.shared else outcomes.items()
    statements.end.run_many(connection, [_end(row, outcome, now) for row, outcome in rows])
    for kind, write in WRITERS.items():
        of_kind = {row: outcome for row, outcome in outcomes.items() if isinstance(outcome, kind)}
        if of_kind:
            write(connection, of_kind, now)
    if aliases:
        statements.alias.run_many(connection, sorted(aliases.items()))
        store.has_aliases = True
    if store.shared:
        statements.unclaim.run(connection, (as_list(outcomes, connection.dialect),))


def _end(row: int, outcome: Outcome, now: float) -> tuple[Any, ...]:
    status, final_url, attempts = outcome.answer
    end = final_url, DONE, attempts, status
    if isinstance(outcome, Stored):
        return (*end, None, None, None, None, None, None, None, now, row)
    if isinstance(outcome, PageRead):
        found = outcome.content, outcome.links, outcome.stated, outcome.score
        return (*end, None, None, None, *found, now, row)
    if isinstance(outcome, Repeated):
        message = f"the same as row {outcome.original}, by {outcome.by}"
        return (*end, REPEAT_REASON, message, None, None, None, None, None, now, row)
    if isinstance(outcome, Skipped):
        return (*end, outcome.reason, outcome.message, None, None, None, None, outcome.score, now, row)
    return (final_url, ERROR, attempts, status, outcome.reason, outcome.message, None, None, None, None, None, now, row)


def _write_stored(connection: Connection, outcomes: Mapping[int, Any], now: float) -> None:
    statements_of(connection.dialect).picture.run_many(
        connection,
        [
            (
                row,
                stored.file,
                stored.file_key,
                stored.sha256,
                sha_key(stored.sha256),
                stored.facts.width,
                stored.facts.height,
                stored.facts.format,
                stored.facts.bytes,
                now,
            )
            for row, stored in outcomes.items()
        ],
    )


def _write_skipped(connection: Connection, outcomes: Mapping[int, Any], _now: float) -> None:
    rows = [(row, skipped.width, skipped.height, skipped.bytes) for row, skipped in outcomes.items()]
    statements_of(connection.dialect).skip.run_many(connection, rows)
    forget(connection, (row for row, skipped in outcomes.items() if skipped.reason == "off-topic"))


def _write_repeated(connection: Connection, outcomes: Mapping[int, Any], _now: float) -> None:
    clear_rows(connection, outcomes)
    query = select(node.c.id, node.c.url, node.c.parent, node.c.layer, node.c.page, node.c.position)
    facts = {row.id: row for row in connection.execute(query.where(node.c.id.in_(list(outcomes))))}
    rows = [
        (
            repeated.original,
            facts[row].url,
            facts[row].parent,
            facts[row].layer,
            facts[row].page,
            facts[row].position,
            0,
            repeated.by,
            row,
            repeated.sha256,
        )
        for row, repeated in outcomes.items()
    ]
    statements_of(connection.dialect).repeat.run_many(connection, rows)


def clear_rows(connection: Connection, rows: Iterable[int]) -> None:
    """Remove what hangs on *rows* from an earlier end: stored, skipped, the same content as another."""
    ids = list(rows)
    connection.execute(picture.delete().where(picture.c.node.in_(ids)))
    connection.execute(skip.delete().where(skip.c.node.in_(ids)))
    connection.execute(repeat.delete().where(repeat.c.later.in_(ids)))


def sha_key(sha256: str) -> int:
    """The first 64 bits of a SHA-256 in hexadecimal, as a signed number for the index."""
    return int.from_bytes(bytes.fromhex(sha256[:16]), "big", signed=True)


WRITERS: dict[type, Callable[[Connection, Mapping[int, Any], float], None]] = {
    PageRead: write_kept,
    Stored: _write_stored,
    Skipped: _write_skipped,
    Repeated: _write_repeated,
}
