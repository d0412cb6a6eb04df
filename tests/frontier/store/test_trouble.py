from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from picspider.frontier.store.trouble import trouble


def test_full_disk(tmp_path: Path) -> None:
    """A database that cannot grow is no damaged one: room has to be made, and nothing restored."""
    connection = sqlite3.connect(tmp_path / "crawl.db")
    connection.execute("CREATE TABLE t (x)")
    connection.execute("PRAGMA max_page_count = 3")
    with pytest.raises(sqlite3.Error) as full:
        connection.execute("INSERT INTO t VALUES (?)", ("x" * 100_000,))
    connection.close()
    told = trouble("out/crawl.db", full.value)
    assert told.startswith("out/crawl.db: the disk is full")
    assert "make room" in told
    assert "backup" not in told


def test_damaged_file(tmp_path: Path) -> None:
    """A file that is no database has to be restored, or to go."""
    (tmp_path / "crawl.db").write_bytes(b"x" * 4096)
    with pytest.raises(sqlite3.DatabaseError) as damaged:
        sqlite3.connect(tmp_path / "crawl.db").execute("SELECT * FROM sqlite_master")
    assert "Restore it from a backup" in trouble("out/crawl.db", damaged.value)


def test_anything_else() -> None:
    """A disk or a server that fails for a while leaves what was written; its words are one line."""
    told = trouble("postgresql://h/crawls", sqlite3.OperationalError("disk I/O error\n  at the server"))
    assert told.startswith("postgresql://h/crawls: the crawl store fails (disk I/O error at the server). ")
    assert "the same command goes on" in told
