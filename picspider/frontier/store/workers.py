"""Who works on a store: a line per worker, kept fresh by a thread; what a dead one held goes back to waiting."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, func, insert, select, text, update
from sqlalchemy.exc import SQLAlchemyError

from picspider.frontier.store.waiting import to_waiting
from picspider.schema import IS_RUNNING, node, worker

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

logger = logging.getLogger(__name__)

BEATS_PER_LEASE = 4
BEGINNING_LOCK = 0x50494353  # an advisory lock: beginnings and ends of runs come one after the other


def one_at_a_time(connection: Connection) -> None:
    """On a shared store: wait until no other worker begins or ends; held until the transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(BEGINNING_LOCK)))


def now_of(connection: Connection) -> float:
    """Seconds since 1970 by the clock that all workers share."""
    if connection.dialect.name == "postgresql":
        return float(connection.scalar(text("SELECT extract(epoch FROM clock_timestamp())")) or 0.0)
    return time.time()


def sign(connection: Connection, name: str, run: int, *, idle: bool = False) -> float:
    """Say that the worker *name* lives, works for *run* and whether it has nothing to do; returns the time of it."""
    now = now_of(connection)
    facts = {"seen": now, "run": run, "idle": int(idle)}
    if not connection.execute(update(worker).where(worker.c.name == name).values(**facts)).rowcount:
        connection.execute(insert(worker).values(name=name, **facts))
    return now


def free_dead(connection: Connection, lease_seconds: float) -> int:
    """Give back the rows of workers that gave no sign of life for *lease_seconds*; returns how many workers."""
    late = now_of(connection) - lease_seconds
    gone = connection.scalars(select(worker.c.name).where(worker.c.seen < late)).all()
    for name in gone:
        connection.execute(to_waiting(IS_RUNNING, node.c.worker == name))
        connection.execute(worker.delete().where(worker.c.name == name))
    return len(gone)


def others(connection: Connection, name: str, lease_seconds: float, *, busy: bool = False) -> int:
    """How many other workers live (`busy`: and have something to do)."""
    query = select(func.count()).where(worker.c.name != name, worker.c.seen >= now_of(connection) - lease_seconds)
    return connection.scalar(query.where(worker.c.idle == 0) if busy else query) or 0


def silent_since(connection: Connection, name: str, lease_seconds: float, moment: float) -> dict[str, float]:
    """Other workers that gave no sign of life since *moment*, and are not taken for dead: name → last sign."""
    late = now_of(connection) - lease_seconds
    query = select(worker.c.name, worker.c.seen)
    found = connection.execute(query.where(worker.c.name != name, worker.c.seen >= late, worker.c.seen < moment))
    return {row.name: row.seen for row in found}


def run_of_others(connection: Connection, name: str, lease_seconds: float) -> int | None:
    """The run that living workers are at; None when there are none."""
    late = now_of(connection) - lease_seconds
    query = select(func.max(worker.c.run)).where(worker.c.name != name, worker.c.seen >= late, worker.c.run > 0)
    found: int | None = connection.scalar(query)
    return found


class Lease:
    """Keeps a worker's line fresh from a thread with a connection of its own, even while the loop is busy."""

    def __init__(self, engine: Engine, name: str, seconds: float) -> None:
        self._engine, self._name, self._seconds = engine, name, seconds
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="lease", daemon=True)
        self._thread.start()

    def _beat(self) -> None:
        fresh = update(worker).where(worker.c.name == bindparam("who")).values(seen=bindparam("now"))
        while not self._stopped.wait(self._seconds / BEATS_PER_LEASE):
            try:
                with self._engine.begin() as connection:
                    connection.execute(fresh, {"who": self._name, "now": now_of(connection)})
                    if free_dead(connection, self._seconds):
                        logger.warning("A worker has died; what it was fetching is fetched by others")
            except SQLAlchemyError as exc:  # noqa: PERF203 - once in many seconds
                logger.warning("The shared store gave no answer to a sign of life: %s", exc)

    def stop(self) -> None:
        """End the thread."""
        self._stopped.set()
        self._thread.join(self._seconds)
