"""Pictures that turn out to be stand-ins are taken back, and asked for again once it is known how."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select, update

from picspider.frontier.store.waiting import portions, set_waiting, to_waiting
from picspider.frontier.turn.outcomes import sha_key
from picspider.schema import IS_ERROR, State, node, picture, repeat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

_TAKEN_BACK = (IS_ERROR, node.c.reason == "placeholder")


def revoke_content(connection: Connection, sha256: str, message: str) -> list[str]:
    """Turn every picture with this content, and every repeat of it by content, into a failure `placeholder`.

    Returns the files that have to go.
    """
    stored = connection.execute(
        select(picture.c.node, picture.c.file).where(picture.c.sha_key == sha_key(sha256), picture.c.sha256 == sha256)
    ).all()
    repeated = connection.scalars(
        select(repeat.c.later).where(repeat.c.by == "content", repeat.c.sha256 == sha256, repeat.c.later != 0)
    ).all()
    rows = [row for row, _ in stored] + list(repeated)
    if rows:
        connection.execute(
            update(node)
            .where(node.c.id == bindparam("row"))
            .values(state=State.error.value, reason="placeholder", message=message),
            [{"row": row} for row in rows],
        )
        connection.execute(repeat.delete().where(repeat.c.by == "content", repeat.c.sha256 == sha256))
        connection.execute(picture.delete().where(picture.c.node.in_([row for row, _ in stored])))
    return [file for _, file in stored]


def reopen_placeholders(connection: Connection, host: str) -> int:
    """Have every failure `placeholder` of *host* fetched again; returns how many."""
    return int(connection.execute(to_waiting(*_TAKEN_BACK, node.c.host == host)).rowcount)


def reopen_taken_back(connection: Connection, rows: Sequence[int]) -> set[int]:
    """Have those of *rows* that are failures `placeholder` fetched again; returns which."""
    reopened: set[int] = set()
    for portion in portions(rows):
        reopened.update(connection.scalars(select(node.c.id).where(*_TAKEN_BACK, node.c.id.in_(portion))))
    set_waiting(connection, reopened)
    return reopened
