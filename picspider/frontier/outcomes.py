"""What became of rows, written to the store: one writer per kind of outcome, one line each in `WRITERS`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, insert, update

from picspider.records import Lost, PageRead, Repeated, Skipped, Stored
from picspider.schema import State, node, picture, repeat, skip

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sqlalchemy import Connection

    from picspider.records import Outcome

_END = (
    update(node)
    .where(node.c.id == bindparam("row"))
    .values(
        state=bindparam("state"),
        reason=bindparam("reason"),
        message=bindparam("message"),
        status=bindparam("status"),
        final_url=bindparam("final_url"),
        attempts=bindparam("attempts"),
        content=bindparam("content"),
        links=bindparam("links"),
        stated=bindparam("stated"),
        score=bindparam("score"),
        time=bindparam("now"),
        worker=None,
    )
)


def write_outcomes(connection: Connection, outcomes: Mapping[int, Outcome]) -> None:
    """End the rows of *outcomes* (row id → outcome) and write what hangs on them."""
    now = time.time()
    connection.execute(_END, [_end(row, outcome, now) for row, outcome in outcomes.items()])
    for kind, write in WRITERS.items():
        of_kind = {row: outcome for row, outcome in outcomes.items() if isinstance(outcome, kind)}
        if of_kind:
            write(connection, of_kind, now)


def _end(row: int, outcome: Outcome, now: float) -> dict[str, Any]:
    lost, page = isinstance(outcome, Lost), outcome if isinstance(outcome, PageRead) else None
    reason = message = None
    if isinstance(outcome, Lost | Skipped):
        reason, message = outcome.reason, outcome.message
    elif isinstance(outcome, Repeated):
        reason, message = "repeat", f"the same as row {outcome.original}, by {outcome.by}"
    return {
        "row": row,
        "state": (State.error if lost else State.done).value,
        "reason": reason,
        "message": message,
        "status": outcome.status,
        "final_url": outcome.final_url,
        "attempts": outcome.attempts,
        "content": page.content if page else None,
        "links": page.links if page else None,
        "stated": page.stated if page else None,
        "score": outcome.score if isinstance(outcome, PageRead | Skipped) else None,
        "now": now,
    }


def _write_stored(connection: Connection, outcomes: Mapping[int, Any], now: float) -> None:
    rows = [
        {
            "node": row,
            "file": stored.file,
            "file_key": stored.file_key,
            "sha256": stored.sha256,
            "sha_key": sha_key(stored.sha256),
            "width": stored.facts.width,
            "height": stored.facts.height,
            "format": stored.facts.format,
            "bytes": stored.facts.bytes,
            "time": now,
        }
        for row, stored in outcomes.items()
    ]
    _replace(connection, picture, rows)


def _write_skipped(connection: Connection, outcomes: Mapping[int, Any], _now: float) -> None:
    rows = [
        {"node": row, "width": skipped.width, "height": skipped.height, "bytes": skipped.bytes}
        for row, skipped in outcomes.items()
    ]
    _replace(connection, skip, rows)


def _replace(connection: Connection, table: Any, rows: list[dict[str, Any]]) -> None:
    if connection.dialect.name == "sqlite":
        connection.execute(insert(table).prefix_with("OR REPLACE"), rows)
        return
    connection.execute(table.delete().where(table.c.node.in_([row["node"] for row in rows])))
    connection.execute(insert(table), rows)


def _write_repeated(connection: Connection, outcomes: Mapping[int, Any], _now: float) -> None:
    ids = list(outcomes)
    facts = {
        row.id: row
        for row in connection.execute(
            node.select()
            .with_only_columns(node.c.id, node.c.url, node.c.parent, node.c.layer, node.c.position)
            .where(node.c.id.in_(ids))
        )
    }
    connection.execute(repeat.delete().where(repeat.c.later.in_(ids)))
    connection.execute(
        insert(repeat),
        [
            {
                "node": repeated.original,
                "url": facts[row].url,
                "parent": facts[row].parent,
                "layer": facts[row].layer,
                "position": facts[row].position,
                "by": repeated.by,
                "later": row,
                "sha256": repeated.sha256,
            }
            for row, repeated in outcomes.items()
        ],
    )


def sha_key(sha256: str) -> int:
    """The first 64 bits of a SHA-256 in hexadecimal, as a signed number for the index."""
    return int.from_bytes(bytes.fromhex(sha256[:16]), "big", signed=True)


WRITERS: dict[type, Callable[[Connection, Mapping[int, Any], float], None]] = {
    Stored: _write_stored,
    Skipped: _write_skipped,
    Repeated: _write_repeated,
}
