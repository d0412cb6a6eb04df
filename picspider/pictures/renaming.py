"""Stored pictures get the name of the place where they count as found, when that turned out to be another one.

A picture that stands in several places, or whose bytes do, is stored when the first answer comes, which depends on the
moment. At the end of a run the earliest place in reading order counts (`picspider.frontier.run.canonical`). Names are
changed in the table first, together with a list of the moves; a run that is killed before all are done leaves the list,
and the next one does them.
"""

from __future__ import annotations

import json
import logging
import os
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger, Column, MetaData, Table, bindparam, delete, func, insert, select, update

from picspider.errors import in_words
from picspider.filters.format_names import extension_of
from picspider.output_folder import sidecar_of
from picspider.pictures.naming import Names
from picspider.places import Places
from picspider.records import Facts
from picspider.schema import IS_PAGE, meta, node, picture
from picspider.visit import Note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sqlalchemy import Connection, Row

logger = logging.getLogger(__name__)

# The list of moves is kept in the store under this key, as JSON.
MOVES_KEY = "moves"
_KEPT = select(meta.c.value).where(meta.c.key == MOVES_KEY)
ROWS_AT_ONCE = 500


moved = Table(
    "moved",
    MetaData(),
    Column("node", BigInteger, primary_key=True, autoincrement=False, comment="its place has changed"),
    prefixes=["TEMPORARY"],
)


@dataclass(frozen=True, slots=True)
class Move:
    """From one file to another, both relative to the folder of the pictures."""

    old: str
    new: str


def rename(
    connection: Connection, pictures: Path, template: str, rows: Iterable[int], since: float = 0.0
) -> list[Move]:
    """Give the pictures *rows* that were stored *since* (seconds since 1970) the names that their places give now.

    What is older has been told under its name, and keeps it. Names that a file in the folder *pictures* has are taken.
    Returns the moves that the files still have to make.
    """
    names = Names(template, Places(connection))
    facts = (node.c.url, node.c.final_url, node.c.layer, node.c.parent, node.c.position, node.c.text)
    query = select(picture, *facts).join_from(picture, node, node.c.id == picture.c.node)
    query = query.where(picture.c.time >= since).order_by(picture.c.node)
    ordered = sorted(rows)
    moves = []
    for start in range(0, len(ordered), ROWS_AT_ONCE):
        some = picture.c.node.in_(ordered[start : start + ROWS_AT_ONCE])
        moving = []
        for row in connection.execute(query.where(some)):
            candidates = _candidates(names, row)
            first = next(candidates)
            if first[0] != row.file:
                moving.append((row, (first, *candidates)))
        changes = list(_chosen(connection, pictures, moving))
        if changes:
            change = update(picture).where(picture.c.node == bindparam("row"))
            change = change.values(file=bindparam("new_file"), file_key=bindparam("new_key"))
            connection.execute(change, [{"row": r.node, "new_file": f, "new_key": key} for r, f, key in changes])
        moves += [Move(row.file, file) for row, file, _ in changes]
    return moves


def pictures_below(connection: Connection, rows: Iterable[int]) -> set[int]:
    """The stored pictures that are reached by one of the pages among *rows*: their names may tell of it.

    Costs a look at the table for each layer below, unless there are only pictures among *rows*.
    """
    moved.create(connection, checkfirst=True)
    connection.execute(moved.delete())
    ordered = sorted(rows)
    for start in range(0, len(ordered), ROWS_AT_ONCE):
        some = node.c.id.in_(ordered[start : start + ROWS_AT_ONCE])
        connection.execute(insert(moved).from_select(["node"], select(node.c.id).where(IS_PAGE, some)))
    first = connection.scalar(select(func.min(node.c.layer)).where(node.c.id.in_(select(moved.c.node))))
    if first is not None:
        for layer in range(first, (connection.scalar(select(func.max(node.c.layer))) or first) + 1):
            # Of a run of next pages the first one gives the names: see `Places`.
            for above, which in ((node.c.parent, node.c.page == 1), (node.c.chain, node.c.page > 1)):
                fresh = (node.c.layer == layer, which, node.c.id.not_in(select(moved.c.node)))
                below = select(node.c.id).where(*fresh, above.in_(select(moved.c.node)))
                connection.execute(insert(moved).from_select(["node"], below))
    found = set(connection.scalars(select(picture.c.node).join_from(moved, picture, picture.c.node == moved.c.node)))
    moved.drop(connection)
    return found


def _candidates(names: Names, row: Row[Any]) -> Iterator[tuple[str, int]]:
    note = Note(row.node, row.layer, kind="picture", parent=row.parent, position=row.position, text=row.text)
    facts = Facts(row.format, row.width, row.height, extension_of(row.format), row.bytes)
    stored = datetime.fromtimestamp(row.time, timezone.utc)
    return names.candidates(row.final_url or row.url, note, facts, row.sha256, stored)


def rename_all(transaction: Callable[[], AbstractContextManager[Connection]], pictures: Path, template: str) -> int:
    """Give all stored pictures the names that *template* gives, some at a time; returns how many got another one.

    *transaction* is that of the store: names are changed in one, the files are moved in the next.
    """
    last, renamed = -1, 0
    while True:
        with transaction() as connection:
            query = select(picture.c.node).where(picture.c.node > last).order_by(picture.c.node).limit(ROWS_AT_ONCE)
            rows = connection.scalars(query).all()
            moves = rename(connection, pictures, template, rows)
            note_moves(connection, moves)
        with transaction() as connection:
            finish_moves(connection, pictures)
        renamed += len(moves)
        if not rows:
            return renamed
        last = rows[-1]


def _chosen(
    connection: Connection, pictures: Path, moving: list[tuple[Row[Any], tuple[tuple[str, int], ...]]]
) -> Iterator[tuple[Row[Any], str, int]]:
    """For each picture that gets another name the first that no other has, with the name's key."""
    keys = [key for _, choice in moving for _, key in choice]
    holders = connection.execute(select(picture.c.file_key, picture.c.node).where(picture.c.file_key.in_(keys)))
    held = {key: row for key, row in holders}  # noqa: C416 - rows are no tuples to the type checker
    for row, choice in moving:
        for file, key in choice:
            if file == row.file:
                break
            # Its own in another spelling; or a file that a killed run left, and that its row will be stored as.
            if held.get(key, row.node) == row.node and not os.path.lexists(pictures / file):
                held[key] = row.node
                yield row, file, key
                break


def note_moves(connection: Connection, moves: Iterable[Move]) -> None:
    """Keep *moves* for `finish_moves`, in the transaction that changed the names; what is noted already comes first."""
    pairs = [(move.old, move.new) for move in moves]
    if pairs:
        kept = json.loads(connection.scalar(_KEPT) or "[]")
        connection.execute(delete(meta).where(meta.c.key == MOVES_KEY))
        connection.execute(insert(meta).values(key=MOVES_KEY, value=json.dumps([*kept, *pairs])))


def finish_moves(connection: Connection, pictures: Path) -> None:
    """Make the moves that are noted in the store: of this run, or of one that was killed at it."""
    kept = connection.scalar(_KEPT)
    if kept is None:
        return
    try:
        carry_out(pictures, [Move(*pair) for pair in json.loads(kept)])
    except OSError as exc:
        logger.error("Files in %s could not be renamed; the next run tries it again: %s", pictures, in_words(exc))  # noqa: TRY400 - one line says it
        return
    connection.execute(delete(meta).where(meta.c.key == MOVES_KEY))


def carry_out(pictures: Path, moves: Sequence[Move]) -> None:
    """Move files, in this order, and their side-cars; what was moved already is left alone. Raises OSError."""
    for move in moves:
        _move(pictures / move.old, pictures / move.new)
        _move(pictures / sidecar_of(move.old), pictures / sidecar_of(move.new))
    left = {folder for move in moves for folder in PurePosixPath(move.old).parents}
    for folder in sorted(left, key=lambda each: len(each.parts), reverse=True):
        if folder.name:
            with suppress(OSError):  # not empty
                (pictures / folder).rmdir()


def _move(old: Path, new: Path) -> None:
    # A later move may have brought another file to the old place; then the new one is there, too.
    if os.path.lexists(old) and not os.path.lexists(new):
        new.parent.mkdir(parents=True, exist_ok=True)
        old.rename(new)
