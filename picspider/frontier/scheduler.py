"""The scheduler over the store: in-buffer → table → out-buffer.

The *Multi-threaded breadth-first crawler* keeps waiting URLs in three segments: an in-buffer emptied into a table, the
table, and an out-buffer refilled with its first rows. Here the turn between memory and table is one transaction.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.misc import build_from_crawler, load_object

from picspider.collector import leave_alone_what_is_loaded
from picspider.frontier.budget import Budget
from picspider.frontier.engine.carrier import Carrier
from picspider.frontier.engine.lean_scraper import LeanScraper
from picspider.frontier.engine.under_way import UnderWay
from picspider.frontier.engine.wake_up import WakeUp
from picspider.frontier.foreign import ForeignRequests
from picspider.frontier.hosts.host_sharing import HostSharing
from picspider.frontier.hosts.out_buffer import OutBuffer
from picspider.frontier.requests import NotedRequests, sighting_of
from picspider.frontier.row_ledger import RowLedger
from picspider.frontier.run.beginning import recover
from picspider.frontier.run.run_end import RunEnd
from picspider.frontier.store.presence import LEASE_SECONDS
from picspider.frontier.store.store import Store
from picspider.frontier.turn.batch import Batch, Want
from picspider.frontier.turn.lookups import Lookups
from picspider.frontier.turn.orders import order_of
from picspider.frontier.turn.turning import Turner
from picspider.frontier.what_waits import WhatWaits
from picspider.urls import host_key
from picspider.visit import note_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from twisted.internet.defer import Deferred
    from typing_extensions import Self

    from picspider.frontier.dupefilter import PairDupeFilter
    from picspider.frontier.requests import Identity, RequestCodec
    from picspider.frontier.turn.batch import Turned
    from picspider.visit import Note

logger = logging.getLogger(__name__)

TURN_SECONDS = 0.25
BESIDE_BLOCKED = 8  # rows of other hosts, asked for when every host at hand has to wait


class Frontier(BaseScheduler):
    """Scrapy's SCHEDULER over a `Store`. It should only move rows; what a page means is the spider's business.

    Spiders and pipelines say what became of a request to its `ledger`; a request that leaves the engine without a word
    is written down as lost, so no row is left running.
    """

    def __init__(self, crawler: Crawler, store: Store, dupefilter: PairDupeFilter) -> None:
        settings = crawler.settings
        self.crawler = crawler
        self.store = store
        self.dupefilter = dupefilter
        self.lookups = Lookups(store)
        self.budget = Budget.from_settings_of(settings)
        self.order = order_of(settings.get("PICSPIDER_ORDER", "breadth"), store)
        concurrency = settings.getint("CONCURRENT_REQUESTS")
        # One request at a time: each choice is made anew, and the order is exact.
        self.exact = concurrency == 1
        self.in_size = settings.getint("PICSPIDER_IN_BUFFER", 2000)
        self.out_size = settings.getint("PICSPIDER_OUT_BUFFER", 100)
        if self.exact or not self.order.layerwise:
            self.out_size = min(self.out_size, concurrency)
        if store.shared and self.order.layerwise:
            self.out_size = 8 * concurrency  # a turn takes a while; the rest is for the others
        self.batch = Batch()
        self.out = OutBuffer()
        self.again: deque[Request] = deque()
        self._turner = Turner(crawler, store, self._turned)
        self._sharing = HostSharing(crawler, store, self._hosts_in_memory)
        self.waits = WhatWaits(shared=store.shared)
        self.ledger = RowLedger(
            store, self.lookups, dupefilter, self.budget, self.batch, write=self._write, changed=self.waits.changed
        )
        self._end = RunEnd(crawler, store, self.lookups, self.budget, self.waits, dupefilter.forget)
        self._wake_up = WakeUp(crawler)
        self._under_way = UnderWay(crawler, self.ledger)
        self._turned_monotonic_seconds = 0.0
        self._carrier: Carrier | None = None
        self._codec: RequestCodec
        self._free_places: Callable[[str], int] = lambda _host: 1

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """As Scrapy builds its scheduler. Raises `StoreError`.

        Settings: PICSPIDER_STORE (SQLAlchemy URL), PICSPIDER_ORDER, PICSPIDER_IN_BUFFER and PICSPIDER_OUT_BUFFER
        (rows), PICSPIDER_WORKER_DEAD_SECONDS, and those of the parts.
        """
        store = getattr(crawler.spider, "store", None)
        if store is None:
            store = Store(crawler.settings["PICSPIDER_STORE"])
            store.acquire()
            recover(store)
            crawler.signals.connect(store.close, signals.engine_stopped)
        store.presence.keep_lease(crawler.settings.getfloat("PICSPIDER_WORKER_DEAD_SECONDS", LEASE_SECONDS))
        dupefilter = build_from_crawler(load_object(crawler.settings["DUPEFILTER_CLASS"]), crawler)
        frontier = cls(crawler, store, dupefilter)
        crawler.signals.connect(frontier.idle, signals.spider_idle)
        LeanScraper.adopt(crawler.engine)
        return frontier

    def open(self, spider: Spider) -> None:
        """Called by the engine before the first request."""
        own = getattr(spider, "reads_notes", False)
        if own:
            self._codec = NotedRequests(spider, self.dupefilter, self.ledger.referers)
        else:
            self._codec = ForeignRequests(self.crawler, spider)
        downloader = self.crawler.engine.downloader
        self._free_places = getattr(downloader, "free_places", self._free_places)
        self._carrier = Carrier.of(self.crawler.engine) if own else None
        self._sharing.start()
        leave_alone_what_is_loaded()

    def enqueue_request(self, request: Request) -> bool:
        """Take a request in. False when it is a repeat; both places are noted then."""
        note = self._codec.note_for(request)
        if note.id:
            # A retry or a redirect goes on with its row; it is the same sighting.
            self._under_way.came_back(note.id)
            self.again.append(request)
            return True
        identity = self._codec.identity_of(request, note)
        known = self.dupefilter.recall(identity.token)
        if known is not None:
            return self._sighted_again(request, note, identity, known)
        try:
            sighting = sighting_of(request, note, identity, self._codec.as_json(request), self.order)
        except (TypeError, ValueError) as exc:
            logger.warning("%s is fetched, but not kept over a restart: it does not fit into JSON (%s)", request, exc)
            self.again.append(request)
            return True
        self.batch.sightings.append(sighting)
        self.waits.sighted(sighting.host)
        if len(self.batch.sightings) >= self.in_size and not self._turner.busy:
            self._turn(0)
        return True

    def _sighted_again(self, request: Request, note: Note, identity: Identity, known: tuple[int, int]) -> bool:
        row, parent = known
        if self.order.lifts:
            priority, _ = self.order.place(note)
            self.batch.lifts[row] = max(priority, self.batch.lifts.get(row, priority))
        if note.repeats and (note.again or (note.parent and parent != note.parent)):
            sighting = sighting_of(request, note, identity, self._codec.as_json(request), self.order)
            self.batch.repeats.append((row, sighting))
        return False

    def next_request(self) -> Request | None:
        """The next request whose host has a free place; None when there is none now, or a carrier has taken it."""
        if self._carrier is None:
            return self._next()
        self._carrier.carry(self._next)
        return None

    def _next(self) -> Request | None:
        # A turn comes before a request is handed out, never after: one that is handed out but not yet with the
        # engine would look as if it had been dropped.
        if self.exact and self._under_way.any_in_progress():
            return None  # what it finds may come before all that waits
        due = self.exact or time.monotonic() - self._turned_monotonic_seconds > TURN_SECONDS
        low = self.store.shared and self.waits.anything and 2 * len(self.out) < self.out_size
        if ((due and (self.batch or self.ledger.ended)) or low) and not self._turner.busy:
            self._turn(self._room())
        request = self._from_memory()
        if request is None and not self._turner.busy and self._worth_a_turn():
            self._turn(self._room() or BESIDE_BLOCKED, beside=tuple(self.out.hosts()))
            request = self._from_memory()
        if request is None:
            self._wake_up.set(self._hosts_in_memory())
        return request

    def _from_memory(self) -> Request | None:
        for _ in range(len(self.again)):
            request = self.again.popleft()
            if self._free_places(host_key(request.url)) > 0:
                return self._under_way.hand_out(request)
            self.again.append(request)
        row = self.out.take(self._free_places)
        while row is not None and not self.budget.allows(row.kind):
            self.batch.give_back.append(row.id)
            row = self.out.take(self._free_places)
        if row is None:
            return None
        self.budget.spend(row.kind)
        return self._under_way.hand_out(self._codec.request(row))

    def _worth_a_turn(self) -> bool:
        """Whether the table may have a row that can be fetched now, while there is none in memory."""
        if not (self.budget.allows("page") or self.budget.allows("picture")):
            return False
        return self.waits.may_have_others(self.out.hosts())

    def _room(self) -> int:
        return max(0, self.out_size - len(self.out))

    def _hosts_in_memory(self) -> set[str]:
        return {*self.out.hosts(), *(host_key(request.url) for request in self.again)}

    def _turn(self, count: int, beside: tuple[str, ...] = ()) -> None:
        """Write what has gathered and take up to *count* rows, none of the hosts *beside* which they are to stand."""
        self._under_way.collect(self._codec.presumed_outcome)
        self._turned_monotonic_seconds = time.monotonic()
        self.waits.turn_begins()
        pages, pictures = self.budget.allows("page"), self.budget.allows("picture")
        self._turner.turn(self.batch.poured_out(), Want(count if pages or pictures else 0, beside, pages, pictures))

    def _write(self) -> None:
        """Write what has gathered, unless it is being written."""
        if not self._turner.busy:
            self._turn(0)

    def _turned(self, batch: Batch, want: Want, turned: Turned) -> None:
        self.dupefilter.learn(turned.known)
        self.lookups.claims.written(batch.outcomes)
        self.waits.turned(batch, want, turned)
        self.out.add(turned.rows)
        stats = self.crawler.stats
        stats.inc_value("picspider/store/turns")
        for name, number in (("new", turned.new), ("repeats", turned.repeats), ("ended", len(batch.outcomes))):
            if number:
                stats.inc_value(f"picspider/urls/{name}", number)

    def has_pending_requests(self) -> bool:
        """Whether anything is left that this run may fetch."""
        if self._turner.broken:
            return False
        if self.again or self._turner.busy or self.batch.sightings:
            return True
        if not (self.budget.allows("page") or self.budget.allows("picture")):
            return False
        return bool(len(self.out)) or self.waits.anything

    def idle(self, spider: Spider) -> None:
        """Before the spider closes for want of work. Raises CloseSpider or DontCloseSpider when there is some left."""
        if self._turner.broken:
            return
        if self.batch or self._under_way:
            self._write()
        if self._turner.busy or self.again:
            self._end.ask_again()
        self._end.check()

    def close(self, reason: str) -> Deferred[None]:
        """Write what is left; rows that were taken out go back to waiting."""
        return deferred_from_coro(self._close(reason))

    async def _close(self, reason: str) -> None:
        await self._turner.finished()
        self._under_way.collect(self._codec.presumed_outcome)
        self.batch.give_back.extend(self.out.clear())
        self.batch.give_back.extend(self._under_way.rows)
        self.batch.give_back.extend(note.id for request in self.again if (note := note_of(request)) and note.id)
        await self._turner.last(self.batch.poured_out())
        await self._sharing.stop()
        self.lookups.close()
        cache, stats = self.dupefilter.cache, self.crawler.stats
        for name in ("tests", "hits", "evictions", "hit_rate"):
            stats.set_value(f"picspider/seen/{name}", getattr(cache, name))
        self.dupefilter.close(reason)

    def __len__(self) -> int:
        return len(self.out) + len(self.again) + len(self.batch.sightings)
