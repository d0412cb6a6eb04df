"""The file of a SQLite store: is it ours and whole? Looked at without changing a byte of it."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from picspider.errors import StoreError
from picspider.frontier.store.trouble import trouble

if TYPE_CHECKING:
    from pathlib import Path

APPLICATION_ID = 0x50494353  # "PICS", in the header of the file
# 4 MB of pages for each connection that only reads; the one that writes takes more.
PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=NORMAL",
    "cache_size=-4000",
    "busy_timeout=10000",
    "wal_autocheckpoint=4000",
)
WRITER_CACHE = "PRAGMA cache_size=-8000"
LESS_MEMORY = ("PRAGMA cache_size=-4000", "PRAGMA shrink_memory")
MAGIC = b"SQLite format 3\x00"


def tune(raw: object, _record: object) -> None:
    """Set up a new connection.

    WAL with synchronous NORMAL: a transaction waits for no disk, and `kill -9` loses none that was committed.
    """
    cursor = raw.cursor()  # type: ignore[attr-defined]  # DBAPI connections have no common type
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def check(file: Path) -> None:
    """Raises `StoreError` when *file* is no SQLite database, is cut short or damaged, or belongs to others."""
    with file.open("rb") as stream:
        head = stream.read(100)
    if not head:
        return
    if head[:16] != MAGIC:
        raise StoreError(
            f"{file}: this is not a crawl store (damaged, or another program's file). Nothing was changed; move the "
            f"file away to start afresh (pictures stay)."
        )
    _check_length(file, head)
    _check_owner(file)


def _check_length(file: Path, head: bytes) -> None:
    log = file.with_name(f"{file.name}-wal")
    if log.exists() and log.stat().st_size:
        return  # what a killed run left half copied into the file is complete in its log
    page_bytes = int.from_bytes(head[16:18], "big")
    pages = int.from_bytes(head[28:32], "big")
    if file.stat().st_size < (65536 if page_bytes == 1 else page_bytes) * pages:
        raise StoreError(
            f"{file}: the crawl store is cut short (damaged). Nothing was changed; restore it from a backup, or move "
            f"it away to start afresh (pictures stay)."
        )


def _check_owner(file: Path) -> None:
    # Through SQLite and not from the header: a killed run may have left the header in its log.
    connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
    try:
        owner = connection.execute("PRAGMA application_id").fetchone()[0]
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.DatabaseError as exc:
        raise StoreError(trouble(file, exc)) from exc
    finally:
        connection.close()
    if tables and not (owner == APPLICATION_ID and {"node", "meta"} <= tables):
        raise StoreError(f"{file}: this is another program's database. Choose another output folder.")
