"""When and where turns happen: at once on SQLite, in a thread on a shared store; and what happens when one fails."""

from __future__ import annotations

import asyncio
import sys
from functools import partial
from typing import TYPE_CHECKING

from picspider.frontier.engine.engine_adapter import stop, wake
from picspider.frontier.store.patience import answer_of
from picspider.frontier.turn.batch import Want
from picspider.frontier.turn.turn import turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler

    from picspider.frontier.store.store import Store
    from picspider.frontier.turn.batch import Batch, Turned

SWITCH_SECONDS = 0.0005
CLOSE_REASON = "store_error"


class Turner:
    """Turns of one store, one at a time. `done(batch, want, turned)` is called in the loop after each.

    A store that cannot be read or written ends the run: nothing is written to it, nor from it, after that.
    """

    def __init__(self, crawler: Crawler, store: Store, done: Callable[[Batch, Want, Turned], None]) -> None:
        self._crawler, self._store, self._done = crawler, store, done
        self._task: asyncio.Future[None] | None = None
        if store.shared:
            # A turn in a thread waits so long for the busy loop after each answer of the database.
            sys.setswitchinterval(SWITCH_SECONDS)

    @property
    def busy(self) -> bool:
        """Whether no turn can be made now."""
        return self._task is not None or self.broken

    @property
    def broken(self) -> bool:
        """Whether the store has failed."""
        return self._store.broken is not None

    def turn(self, batch: Batch, want: Want) -> None:
        """Make a turn; not while `busy`."""
        if self._store.shared:
            self._task = asyncio.ensure_future(self._in_thread(batch, want))
            return
        try:
            self._store.presence.beat()
            turned = turn(self._store, batch, want)
        except self._store.errors as exc:
            self._fail(exc)
        else:
            self._done(batch, want, turned)

    async def _in_thread(self, batch: Batch, want: Want) -> None:
        try:
            ask = partial(turn, self._store, batch, want)
            turned = await asyncio.to_thread(answer_of, self._store.engine, ask, self._store.reconnect)
        except self._store.errors as exc:
            self._fail(exc)
        else:
            self._task = None
            self._done(batch, want, turned)
            wake(self._crawler.engine)
        finally:
            self._task = None

    def _fail(self, exc: Exception) -> None:
        self._store.fail(exc)
        stop(self._crawler.engine, CLOSE_REASON)

    async def finished(self) -> None:
        """Wait for the turn that is being made."""
        if self._task is not None:
            await self._task

    async def last(self, batch: Batch) -> None:
        """The turn that ends the run."""
        if not self.broken:
            self.turn(batch, Want(0))
            await self.finished()
