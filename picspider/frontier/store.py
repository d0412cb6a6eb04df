"""Opening the store: engine, schema, lock, workers. What happens in it is in `turn.py` and `reopen.py`."""

from __future__ import annotations

import os
import socket
import time
import uuid
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import create_engine, event, func, insert, inspect, select, text, update
from sqlalchemy.exc import DatabaseError

from picspider.errors import StoreError
from picspider.frontier.lock import FolderLock
from picspider.schema import SCHEMA_VERSION, State, meta, metadata, node, run, worker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Engine

APPLICATION_ID = 0x50494353  # "PICS", in the header of the SQLite file
WORKER_DEAD_SECONDS = 60.0


class Store:
    """One crawl's tables on SQLite or PostgreSQL. Not safe for several threads at once.

    Raises `StoreError` when the database is foreign, damaged, of a newer version, or in use by another run.
    """

    def __init__(self, url: str, *, create: bool = True) -> None:
        self.url = url
        self.worker = f"{socket.gethostname()[:30]}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
        self.engine: Engine = create_engine(url)
        self.shared = self.engine.dialect.name != "sqlite"
        self.run = 0
        self._lock: FolderLock | None = None
        self._next_id = 0
        self._seen_alive = 0.0
        if not self.shared:
            event.listen(self.engine, "connect", _tune_sqlite)
        try:
            self.connection: Connection = self._open(create=create)
        except DatabaseError as exc:
            raise StoreError(self._damage_message(exc)) from exc

    def _open(self, *, create: bool) -> Connection:
        file = self.file
        if file is not None:
            if file.exists():
                _check_sqlite_file(file)
            elif not create:
                raise StoreError(f"{file}: there is no crawl here. Run `picspider crawl` first.")
            file.parent.mkdir(parents=True, exist_ok=True)
        connection = self.engine.connect()
        try:
            self._check_schema(connection, create=create)
        except BaseException:
            connection.close()
            raise
        return connection

    @property
    def file(self) -> Path | None:
        """The SQLite file; None for a shared database."""
        return Path(self.engine.url.database) if not self.shared and self.engine.url.database else None

    def _damage_message(self, exc: DatabaseError) -> str:
        where = self.file or self.engine.url.render_as_string(hide_password=True)
        return (
            f"{where}: the crawl store cannot be read ({exc.orig}). Nothing was changed. "
            f"Move the file away to start afresh (pictures stay), or restore it from a backup."
        )

    def _check_schema(self, connection: Connection, *, create: bool) -> None:
        tables = set(inspect(connection).get_table_names())
        if not tables & {"node", "meta"}:
            if tables and not self.shared:
                raise StoreError(f"{self.file}: this is another program's database. Choose another output folder.")
            if not create:
                raise StoreError(f"{self.file or self.url}: there is no crawl here. Run `picspider crawl` first.")
            metadata.create_all(connection)
            self._stamp(connection)
            connection.commit()
        version = connection.scalar(select(meta.c.value).where(meta.c.key == "schema_version"))
        if version != str(SCHEMA_VERSION):
            raise StoreError(
                f"{self.file or 'store'}: made by another version of picspider (schema {version}, "
                f"this one reads {SCHEMA_VERSION}). Use that version, or another output folder."
            )
        connection.rollback()

    def _stamp(self, connection: Connection) -> None:
        if not self.shared:
            connection.execute(text(f"PRAGMA application_id = {APPLICATION_ID}"))
            connection.execute(insert(meta), [{"key": "schema_version", "value": str(SCHEMA_VERSION)}])
        else:
            from sqlalchemy.dialects.postgresql import insert as pg_insert  # noqa: PLC0415 - only for shared stores

            row = {"key": "schema_version", "value": str(SCHEMA_VERSION)}
            connection.execute(pg_insert(meta).values(row).on_conflict_do_nothing())
            connection.execute(text("CREATE SEQUENCE IF NOT EXISTS node_id"))

    def acquire(self) -> None:
        """Take the store for a run. Raises `StoreError` when another run holds this output folder."""
        if self.file is not None:
            self._lock = FolderLock(self.file.parent / "crawl.lock")
            self._lock.acquire()
        self.heartbeat(force=True)

    def heartbeat(self, *, force: bool = False) -> None:
        """Say that this worker lives; its running rows are its own as long as it does."""
        now = time.time()
        if not force and now - self._seen_alive < WORKER_DEAD_SECONDS / 6:
            return
        self._seen_alive = now
        with self.transaction() as connection:
            changed = connection.execute(update(worker).where(worker.c.name == self.worker).values(seen=now))
            if not changed.rowcount:
                connection.execute(insert(worker).values(name=self.worker, seen=now, run=self.run))
            if self.shared:
                self._free_dead(connection, now)

    def _free_dead(self, connection: Connection, now: float) -> None:
        dead = select(worker.c.name).where(worker.c.seen < now - WORKER_DEAD_SECONDS)
        gone = list(connection.scalars(dead))
        if gone:
            connection.execute(
                update(node)
                .where(node.c.state == text(str(State.running.value)), node.c.worker.in_(gone))
                .values(state=State.waiting.value, worker=None)
            )
            connection.execute(worker.delete().where(worker.c.name.in_(gone)))

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """One transaction on this store's connection; rolled back when the block raises."""
        try:
            yield self.connection
        except BaseException:
            self.connection.rollback()
            raise
        self.connection.commit()

    def reserve_ids(self, count: int) -> range | list[int]:
        """*count* fresh row ids in order of discovery."""
        if self.shared:
            rows = self.connection.scalars(
                text("SELECT nextval('node_id') FROM generate_series(1, :count)"), {"count": count}
            )
            return sorted(rows)
        if not self._next_id:
            self._next_id = (self.connection.scalar(select(func.max(node.c.id))) or 0) + 1
        first = self._next_id
        self._next_id += count
        return range(first, first + count)

    def begin_run(self, config_json: str) -> int:
        """Enter a new run into the table of runs; returns its number."""
        with self.transaction() as connection:
            result = connection.execute(insert(run).values(started=time.time(), config=config_json))
            self.run = int(result.inserted_primary_key[0])
            connection.execute(update(worker).where(worker.c.name == self.worker).values(run=self.run))
        return self.run

    def end_run(self, reason: str, totals_json: str) -> None:
        """Close this run's line in the table of runs."""
        with self.transaction() as connection:
            connection.execute(
                update(run).where(run.c.id == self.run).values(ended=time.time(), reason=reason, totals=totals_json)
            )
            connection.execute(worker.delete().where(worker.c.name == self.worker))

    def others_running(self) -> int:
        """Rows that other live workers are fetching now (0 on SQLite)."""
        if not self.shared:
            return 0
        where = (node.c.state == text(str(State.running.value)), node.c.worker != self.worker)
        return self.connection.scalar(select(func.count()).select_from(node).where(*where)) or 0

    def get_meta(self, key: str) -> str | None:
        """A remembered value of this crawl."""
        return self.connection.scalar(select(meta.c.value).where(meta.c.key == key))

    def set_meta(self, key: str, value: str) -> None:
        """Remember *value* under *key*."""
        with self.transaction() as connection:
            if not connection.execute(update(meta).where(meta.c.key == key).values(value=value)).rowcount:
                connection.execute(insert(meta).values(key=key, value=value))

    def close(self) -> None:
        """Release the database and the lock."""
        self.connection.close()
        self.engine.dispose()
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def sqlite_url(folder: Path) -> str:
    """The URL of the store in an output folder."""
    return f"sqlite:///{folder.absolute() / 'crawl.db'}"


def _tune_sqlite(raw: object, _record: object) -> None:
    # WAL with NORMAL: a transaction costs no wait for the disk, and kill -9 loses none that was committed.
    cursor = raw.cursor()  # type: ignore[attr-defined]  # DBAPI connections have no common type
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "temp_store=MEMORY", "cache_size=-16000",
                   "busy_timeout=10000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _check_sqlite_file(file: Path) -> None:
    with file.open("rb") as stream:
        head = stream.read(72)
    if not head:
        return
    if head[:16] != b"SQLite format 3\x00":
        raise StoreError(f"{file}: this is not a crawl store (damaged, or another program's file). Nothing was "
                         f"changed; move the file away to start afresh (pictures stay).")
    page_size = int.from_bytes(head[16:18], "big") or 65536
    if file.stat().st_size < (65536 if page_size == 1 else page_size) * int.from_bytes(head[28:32], "big"):
        raise StoreError(f"{file}: the crawl store is cut short (damaged). Nothing was changed; restore it from a "
                         f"backup, or move it away to start afresh (pictures stay).")
    if int.from_bytes(head[68:72], "big") not in (0, APPLICATION_ID):
        raise StoreError(f"{file}: this is another program's database. Choose another output folder.")
