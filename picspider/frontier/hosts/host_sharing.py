"""Politeness over all workers: this one's downloader gets places of hosts as the shared store grants them."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import SQLAlchemyError

from picspider.frontier.engine.engine_adapter import wake
from picspider.frontier.hosts.host_places import Use, forget, settle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scrapy.crawler import Crawler

    from picspider.frontier.hosts.host_places import Grant
    from picspider.frontier.store.store import Store

logger = logging.getLogger(__name__)

LOOK_SECONDS = 0.1
SETTLE_SECONDS = 0.5
LEAST_HOLD_SECONDS = 0.05
LINGER_SECONDS = 1.0


class HostSharing:
    """Settles with the other workers twice a second, and sooner when a host is new or done.

    `waiting` names the hosts of requests that wait in memory. A place is given up in the downloader before the store
    hears of it, and used only after the store has granted it. Places are kept for a while after the last request, as
    the next one may be on its way from the table; but not those of a host whose starts are to be some time apart.
    """

    def __init__(self, crawler: Crawler, store: Store, waiting: Callable[[], Iterable[str]]) -> None:
        self._crawler, self._store, self._waiting = crawler, store, waiting
        self._downloader: Any = None
        self._grants: dict[str, Grant] = {}
        self._wanted: set[str] = set()
        self._used: dict[str, float] = {}  # when each host was last seen to be wanted
        self._heard: dict[str, float] = {}  # holds that others asked for, by the clock of the slots
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, if the store is shared and the downloader can share (Scrapy's own cannot)."""
        downloader = self._crawler.engine.downloader
        if self._store.shared and hasattr(downloader, "share_hosts"):
            self._downloader = downloader
            self._downloader.share_hosts()
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """All transfers have ended."""
        if self._task is None:
            return
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await asyncio.to_thread(self._leave)

    async def _run(self) -> None:
        settled = 0.0
        while True:
            uses = self._uses()
            wanted = {host for host, use in uses.items() if use.wanted}
            if uses and (wanted != self._wanted or time.monotonic() - settled >= SETTLE_SECONDS):
                settled, self._wanted = time.monotonic(), wanted
                await self._settle(uses)
            await asyncio.sleep(LOOK_SECONDS)

    def _uses(self) -> dict[str, Use]:
        slots, now = self._downloader.slots, time.monotonic()
        wanted = {host for host, slot in slots.items() if slot.active or slot.queue}
        wanted.update(self._waiting())
        self._used = {host: at for host, at in self._used.items() if now - at < LINGER_SECONDS}
        self._used.update(dict.fromkeys(wanted, now))
        wanted.update(host for host in self._used if not self._downloader.keeps_delay(host))
        return {host: self._use(host, wanted=host in wanted) for host in wanted | self._grants.keys()}

    def _use(self, host: str, *, wanted: bool) -> Use:
        grant, slot = self._grants.get(host), self._downloader.slots.get(host)
        places = grant.places if grant is not None else 0
        fair = grant.fair if grant is not None and wanted else 0
        if places > fair:
            self._downloader.share(host, fair)
            places = max(fair, len(slot.transferring) if slot is not None else 0)
        return Use(
            limit=self._downloader.limit_of(host),
            keep=places,
            wanted=wanted,
            alone=self._downloader.keeps_delay(host),
            hold_seconds=self._own_hold(host),
        )

    def _own_hold(self, host: str) -> float:
        """How long our own server's answers hold *host*; what was heard of others is not told on."""
        slot = self._downloader.slots[host]
        return max(0.0, slot.not_before - time.monotonic()) if slot.not_before > self._heard.get(host, 0.0) else 0.0

    async def _settle(self, uses: dict[str, Use]) -> None:
        try:
            grants = await asyncio.to_thread(self._ask, uses)
        except SQLAlchemyError as exc:
            # What the store granted before is still ours.
            logger.warning("The shared store gave no answer about the hosts' places: %s", exc)
            return
        more = False
        for host, grant in grants.items():
            before = self._grants.get(host)
            more = more or grant.places > (before.places if before is not None else 0)
            if uses[host].wanted:
                self._downloader.share(host, min(grant.places, grant.fair))
            if grant.hold_seconds > max(LEAST_HOLD_SECONDS, uses[host].hold_seconds):
                self._downloader.hold(host, grant.hold_seconds)
                self._heard[host] = self._downloader.slots[host].not_before
        self._grants = {host: grant for host, grant in grants.items() if uses[host].wanted or grant.places}
        if more:
            wake(self._crawler.engine)

    def _ask(self, uses: dict[str, Use]) -> dict[str, Grant]:
        with self._store.engine.begin() as connection:
            return settle(connection, self._store.worker, uses)

    def _leave(self) -> None:
        try:
            with self._store.engine.begin() as connection:
                forget(connection, self._store.worker)
        except SQLAlchemyError as exc:
            logger.warning("The shared store gave no answer about the hosts' places: %s", exc)
