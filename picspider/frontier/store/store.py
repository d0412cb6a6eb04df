"""Opening the store: engine, schema, lock, runs. What happens in it is in `beginning.py` and `turn.py`."""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
import uuid
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import create_engine, event, func, insert, inspect, select, text, update
from sqlalchemy.exc import DBAPIError, OperationalError

from picspider.errors import StoreError
from picspider.frontier.store import postgres_session, sqlite_file, workers
from picspider.frontier.store.bulk import insert_anew
from picspider.frontier.store.lock import FolderLock
from picspider.frontier.store.migrations import migrate
from picspider.frontier.store.presence import Presence
from picspider.frontier.store.trouble import trouble
from picspider.output_folder import PARTIAL_SUFFIX, OutputFolder
from picspider.prepared import raw_of
from picspider.schema import SCHEMA_VERSION, alias, meta, node, run, tables_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from sqlalchemy import Connection, Engine

logger = logging.getLogger(__name__)


class Store:
    """One crawl's tables on SQLite, or on PostgreSQL for several workers (`shared`).

    Raises `StoreError` when the database is foreign, damaged, of another version, or in use by another run.
    """

    def __init__(self, url: str, *, create: bool = True) -> None:
        self.url = url
        self.worker = f"{socket.gethostname()[:30]}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
        self.shared = not url.startswith("sqlite")
        # Positional parameters on every database, for the prepared statements.
        # Those in a pool are asked first whether they still live; only shared stores have more than one.
        self.engine: Engine = create_engine(
            url, paramstyle="format" if self.shared else "qmark", pool_pre_ping=self.shared
        )
        self.presence = Presence(self.worker, self.engine, self.transaction, shared=self.shared)
        self.broken: str | None = None
        self._folder_lock: FolderLock | None = None
        self._one_user = threading.RLock()
        self._next_id = 0
        self._last: bool | None = None
        if not self.shared:
            event.listen(self.engine, "connect", sqlite_file.tune)
        try:
            self.connection: Connection = self._open(create=create)
        except DBAPIError as exc:
            raise StoreError(trouble(self.where, exc.orig or exc)) from exc

    @property
    def file(self) -> Path | None:
        """The SQLite file; None for a shared database, and for one in memory."""
        return Path(self.engine.url.database) if not self.shared and self.engine.url.database else None

    @property
    def run(self) -> int:
        """The run that this worker works for; 0 before it has begun."""
        return self.presence.run

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """What a failing database raises, through SQLAlchemy and from its driver."""
        driver: Any = self.engine.dialect.dbapi
        return (DBAPIError, driver.Error)

    @property
    def where(self) -> str:
        """The store as it is named to the user."""
        return str(self.file or self.engine.url.render_as_string(hide_password=True))

    def _open(self, *, create: bool) -> Connection:
        file = self.file
        if file is not None:
            if file.exists():
                sqlite_file.check(file)
            elif not create:
                raise StoreError(f"{file}: there is no crawl here. Run `picspider crawl` first.")
            file.parent.mkdir(parents=True, exist_ok=True)
        connection = self.engine.connect()
        if not self.shared:
            connection.execute(text(sqlite_file.WRITER_CACHE))
            connection.rollback()
        try:
            if create and not self.shared:
                # Python's driver begins no transaction before CREATE TABLE: a kill would leave half of the tables.
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            workers.one_at_a_time(connection)
            self._ready_tables(connection, create=create)
            # Whether redirects of pages were noted; another worker may note one at any time.
            self.has_aliases = self.shared or connection.scalar(select(alias.c.key).limit(1)) is not None
            connection.commit()
        except BaseException:
            connection.close()
            raise
        return connection

    def _ready_tables(self, connection: Connection, *, create: bool) -> None:
        if "meta" in inspect(connection).get_table_names():
            migrate(connection, self.where)
            return
        if not create:
            raise StoreError(f"{self.where}: there is no crawl here. Run `picspider crawl` first.")
        if self.shared:
            connection.execute(text("CREATE SEQUENCE IF NOT EXISTS node_id"))
        else:
            connection.execute(text(f"PRAGMA application_id = {sqlite_file.APPLICATION_ID}"))
        tables_for(connection.dialect.name).create_all(connection)
        connection.execute(insert(meta).values(key="schema_version", value=str(SCHEMA_VERSION)))

    # -- one run at a time, or workers that know of each other

    def acquire(self) -> None:
        """Take the store for a run. Raises `StoreError` when another run holds this output folder."""
        if self.file is not None:
            self._folder_lock = FolderLock(OutputFolder(self.file.parent).lock)
            self._folder_lock.acquire()
            # What a killed run had half written: feeds, the report.
            for partial in self.file.parent.glob(f"*{PARTIAL_SUFFIX}"):
                partial.unlink(missing_ok=True)

    def enter_run(self, connection: Connection, config_json: str) -> bool:
        """Enter a new run, or join that of living workers of a shared store; returns whether it is a new one."""
        if self.shared:
            postgres_session.crawling(raw_of(connection))
        joined = self.presence.run_of_others(connection)
        number = joined
        if number is None:
            last = connection.scalar(select(func.max(node.c.id))) or 0
            facts = {"started": time.time(), "config": config_json, "rows_before": last}
            result = connection.execute(insert(run).values(facts))
            number = int((result.inserted_primary_key or (0,))[0])
        self.presence.sign_on(connection, number)
        return joined is None

    def may_end(self) -> bool:
        """Whether no other worker has anything to do; this one has nothing, and holds no row."""
        try:
            return self.presence.tell_idle()
        except OperationalError as exc:
            logger.warning("The shared store failed (%s); asking again", exc)
            with suppress(OperationalError):
                self.reconnect()
            return False

    def leave(self) -> bool:
        """Sign off; True when this was the last worker: totals, feeds and report are its to write."""
        if self._last is None:
            self.presence.end_lease()
            with self.transaction() as connection:
                self._last = self.presence.sign_off(connection)
                if self.shared:
                    postgres_session.crawled(raw_of(connection))
            if not self.shared:
                # Settling, feeds and report read each row once; the memory is theirs now.
                for pragma in sqlite_file.LESS_MEMORY:
                    self.connection.exec_driver_sql(pragma)
                self.connection.rollback()
        return self._last

    def end_run(self, reason: str, totals_json: str) -> None:
        """Close this run's line in the table of runs."""
        self.leave()
        with self.transaction() as connection:
            connection.execute(
                update(run).where(run.c.id == self.run).values(ended=time.time(), reason=reason, totals=totals_json)
            )

    # -- work

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """One transaction on this store's connection; rolled back when the block raises.

        Threads wait for each other. Raises one of `errors` as the database does.
        """
        with self._one_user:
            if not self.connection.in_transaction():
                self.connection.begin()
            try:
                yield self.connection
                self.connection.commit()
            except BaseException:
                if not self.connection.closed and not self.connection.invalidated:
                    self.connection.rollback()
                raise

    def fail(self, exc: BaseException) -> None:
        """The store has failed for good: tell it, and let nobody write to it, or write what it says, from now on."""
        self.broken = trouble(self.where, getattr(exc, "orig", None) or exc)
        logger.error("%s The run ends here.", self.broken)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """A block that a failing store ends quietly; `broken` says so afterwards."""
        try:
            yield
        except self.errors as exc:
            self.fail(exc)

    def reconnect(self) -> None:
        """A new connection in place of one that broke. Raises `OperationalError` when there is none to be had."""
        with self._one_user:
            fresh = self.engine.connect()
            if self.run and self._last is None:
                postgres_session.crawling(raw_of(fresh))
                fresh.commit()
            broken, self.connection = self.connection, fresh
            broken.invalidate()
            broken.close()

    def reserve_ids(self, count: int) -> range | list[int]:
        """*count* fresh row ids in order of discovery. To be called in a transaction."""
        if self.shared:
            query = text("SELECT nextval('node_id') FROM generate_series(1, :count)")
            return sorted(self.connection.scalars(query, {"count": count}))
        if not self._next_id:
            self._next_id = (self.connection.scalar(select(func.max(node.c.id))) or 0) + 1
        first = self._next_id
        self._next_id += count
        return range(first, first + count)

    def get_meta(self, key: str) -> str | None:
        """A remembered value of this crawl."""
        with self.transaction() as connection:
            return connection.scalar(select(meta.c.value).where(meta.c.key == key))

    def set_meta(self, key: str, value: str) -> None:
        """Remember *value* under *key*."""
        # In one statement: several workers begin at once, and remember the same.
        with self.transaction() as connection:
            insert_anew(meta, ("key", "value"), connection.dialect, "key").run_many(connection, [(key, value)])

    def close(self) -> None:
        """Release the database and the lock."""
        self.presence.end_lease()
        self.connection.close()
        self.engine.dispose()
        if self._folder_lock is not None:
            self._folder_lock.release()
            self._folder_lock = None
