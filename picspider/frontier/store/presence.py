"""This process among the workers of a crawl: signed on, idle or busy, alive, gone; alone on most crawls."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from picspider.frontier.store import workers
from picspider.frontier.store.waiting import to_waiting
from picspider.schema import IS_RUNNING, node, worker

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from sqlalchemy import Connection, Engine

logger = logging.getLogger(__name__)

LEASE_SECONDS = 60.0
SIGN_SECONDS = 10.0
# A worker that lives and is idle gives a sign every second.
SILENCE_TOLD_SECONDS = 3.0


class Presence:
    """What the worker *name* says of itself in the table of workers, and reads of the others.

    `lease_seconds`: a worker of a shared store that gives no sign of life for so long is taken for dead.
    *transaction* is that of the store.
    """

    def __init__(
        self, name: str, engine: Engine, transaction: Callable[[], AbstractContextManager[Connection]], *, shared: bool
    ) -> None:
        self.lease_seconds = LEASE_SECONDS
        self.run = 0
        self._name, self._engine, self._transaction, self._shared = name, engine, transaction, shared
        self._lease: workers.Lease | None = None
        self._idle_since: float | None = None
        self._waited_for: set[str] = set()
        self._signed_monotonic_seconds = time.monotonic()

    def run_of_others(self, connection: Connection) -> int | None:
        """The run that living workers are at; what dead ones held is free afterwards."""
        if not self._shared:
            return None
        workers.free_dead(connection, self.lease_seconds)
        return workers.run_of_others(connection, self._name, self.lease_seconds)

    def sign_on(self, connection: Connection, run: int) -> None:
        """From now on this worker works for *run*."""
        self.run = run
        workers.sign(connection, self._name, run)

    def keep_lease(self, lease_seconds: float) -> None:
        """On a shared store: give signs of life from now on, and free what dead workers held."""
        self.lease_seconds = lease_seconds
        if self._shared and self._lease is None:
            self._lease = workers.Lease(self._engine, self._name, lease_seconds)

    def end_lease(self) -> None:
        """No more signs of life."""
        if self._lease is not None:
            self._lease.stop()

    def beat(self) -> None:
        """A sign of life, if it is time for one; workers of a shared store have a thread for it."""
        if time.monotonic() - self._signed_monotonic_seconds > SIGN_SECONDS:
            self._signed_monotonic_seconds = time.monotonic()
            with self._transaction() as connection:
                workers.sign(connection, self._name, self.run)

    def tell_idle(self) -> bool:
        """There is nothing to do, and no row is held; returns whether the other workers have nothing to do, either.

        Each of them has to have said so after this one had nothing left: one that has died would never write the feeds.
        """
        with self._transaction() as connection:
            connection.execute(to_waiting(IS_RUNNING, node.c.worker == self._name))
            now = workers.sign(connection, self._name, self.run, idle=True)
            if self._idle_since is None:
                self._idle_since = now
            if workers.others(connection, self._name, self.lease_seconds, busy=True):
                return False
            silent = workers.silent_since(connection, self._name, self.lease_seconds, self._idle_since)
        for name, seen in silent.items():
            if name not in self._waited_for and now - seen > SILENCE_TOLD_SECONDS:
                self._waited_for.add(name)
                logger.warning(
                    "Waiting for the worker %s: it may have died. After %.0f s without a sign of life this one ends "
                    "the run without it, and writes the feeds",
                    name, self.lease_seconds,
                )  # fmt: skip
        return not silent

    def tell_busy(self, connection: Connection) -> None:
        """There is something to do again."""
        if self._idle_since is not None:
            workers.sign(connection, self._name, self.run)
            self._idle_since = None

    def sign_off(self, connection: Connection) -> bool:
        """This worker is done; returns whether it was the last one."""
        workers.one_at_a_time(connection)
        connection.execute(worker.delete().where(worker.c.name == self._name))
        return not (self._shared and workers.others(connection, self._name, self.lease_seconds))
