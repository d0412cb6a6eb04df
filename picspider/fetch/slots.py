"""The places of one host: how many transfers may run at once, how far apart they start, and not before when."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy import Request


@dataclass(slots=True, eq=False)
class HostSlot:
    """The transfers of one host. The names are those of Scrapy's own Slot: AutoThrottle reads and sets them.

    `delay` is in seconds; each gap is drawn from delay · (1 ± jitter), as DOWNLOAD_DELAY_JITTER asks.
    `active` are the requests inside the downloader, `transferring` those on the wire, `lastseen` is the
    monotonic time of the last start, `not_before` the one before which none may start (Retry-After).
    """

    key: str
    concurrency: int
    delay: float = 0.0
    jitter: float = 0.0
    active: set[Request] = field(default_factory=set)
    transferring: set[Request] = field(default_factory=set)
    queue: deque[tuple[Request, asyncio.Future[None]]] = field(default_factory=deque)
    lastseen: float = 0.0
    not_before: float = 0.0
    _factor: float = 1.0
    _timer: asyncio.TimerHandle | None = None

    def download_delay(self) -> float:
        """The gap in seconds that is kept after the last start."""
        return self.delay * self._factor

    def seconds_until_ready(self) -> float:
        """How long until delay and holds allow the next start; 0.0 when they do now."""
        if not self.delay and not self.not_before:
            return 0.0
        now = monotonic()
        if self.not_before and self.not_before <= now:
            self.not_before = 0.0
        return max(0.0, self.not_before - now, self.lastseen + self.download_delay() - now if self.delay else 0.0)

    def free_places(self) -> int:
        """How many more requests could start right now, all those inside the downloader counted."""
        free = self.concurrency - len(self.active)
        if free <= 0 or self.queue or self.seconds_until_ready() > 0:
            return 0
        return 1 if self.delay else free

    def take(self, request: Request) -> asyncio.Future[None] | None:
        """Take a place for *request*: None when it is taken, else a future that is done once it is."""
        if not self.queue and len(self.transferring) < self.concurrency and not self.seconds_until_ready():
            self._start(request)
            return None
        turn = asyncio.get_running_loop().create_future()
        self.queue.append((request, turn))
        self._serve()
        return turn

    def release(self, request: Request) -> None:
        """Give the place of *request* to the next one in the queue."""
        self.transferring.discard(request)
        if self.queue:
            self._serve()

    def hold(self, seconds: float) -> None:
        """Let nothing start for *seconds*; a longer hold in force stays."""
        self.not_before = max(self.not_before, monotonic() + seconds)

    def set_places(self, places: int) -> None:
        """Let *places* transfers run at once from now on; those that run already are not stopped.

        With none before, somebody else may have asked the host just now: the delay begins anew.
        """
        if places and not self.concurrency and self.delay:
            self.lastseen = monotonic()
        self.concurrency = places
        self._serve()

    def is_idle(self) -> bool:
        """Whether nothing would be forgotten if this slot were dropped."""
        return not self.active and not self.queue and not self.seconds_until_ready()

    def close(self) -> None:
        """Stop the timer; whoever still waits is not served any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _start(self, request: Request) -> None:
        self.transferring.add(request)
        self.lastseen = monotonic()
        if self.delay and self.jitter:
            self._factor = max(0.0, 1 + random.uniform(-self.jitter, self.jitter))  # not a secret

    def _serve(self) -> None:
        while self.queue and len(self.transferring) < self.concurrency and self._timer is None:
            wait = self.seconds_until_ready()
            if wait > 0:
                self._timer = asyncio.get_running_loop().call_later(wait, self._wake)
                return
            request, turn = self.queue.popleft()
            if not turn.done():
                self._start(request)
                turn.set_result(None)

    def _wake(self) -> None:
        self._timer = None
        self._serve()
