"""The scheduler over the store: in-buffer → table → out-buffer.

The *Multi-threaded breadth-first crawler* keeps waiting URLs in three segments: an in-buffer emptied into a table, the
table, and an out-buffer refilled with its first rows. Here the turn between memory and table is one transaction.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.exceptions import CloseSpider, DontCloseSpider
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.misc import build_from_crawler, load_object

from picspider.collector import leave_alone_what_is_loaded
from picspider.frontier.budget import Budget
from picspider.frontier.carrier import Carrier
from picspider.frontier.engine_adapter import in_progress, wake
from picspider.frontier.foreign import ForeignRequests
from picspider.frontier.host_sharing import HostSharing
from picspider.frontier.lean_scraper import LeanScraper
from picspider.frontier.lookups import Lookups
from picspider.frontier.orders import order_of
from picspider.frontier.other_hosts import OtherHosts
from picspider.frontier.out_buffer import OutBuffer
from picspider.frontier.renewing import mark_for_retry, passing_failures
from picspider.frontier.reopen import recover
from picspider.frontier.requests import NotedRequests
from picspider.frontier.said import Said
from picspider.frontier.store import LEASE_SECONDS, Store
from picspider.frontier.taking import Want
from picspider.frontier.turn import Batch
from picspider.frontier.turning import Turner
from picspider.records import PageRead, Sighting, Stored
from picspider.urls import host_key
from picspider.visit import Note, note_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from twisted.internet.defer import Deferred
    from typing_extensions import Self

    from picspider.frontier.dupefilter import PairDupeFilter
    from picspider.frontier.requests import RequestCodec
    from picspider.frontier.turn import Turned
    from picspider.records import Outcome

logger = logging.getLogger(__name__)

TURN_SECONDS = 0.25
# A failure that is younger had its retries just now.
SECOND_CHANCE_SECONDS = 20.0
OTHERS_POLL_SECONDS = 1.0
BESIDE_BLOCKED = 8  # rows of other hosts, asked for when every host at hand has to wait


class Frontier(Said, BaseScheduler):
    """Scrapy's SCHEDULER over a `Store`. It should only move rows; what a page means is the spider's business.

    Spiders and pipelines say what became of a request by `end`; a request that leaves the engine without a word
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
        self._running: dict[int, Request] = {}
        self._ended: dict[int, Outcome] = {}
        self._fresh_hosts: set[str] = set()
        self._table_waits = True
        self._other_hosts = OtherHosts(shared=store.shared)
        self._last_turn = 0.0
        self._began = time.time()
        self._had_second_chances = False
        self._wake_at: float | None = None
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
        store.keep_lease(crawler.settings.getfloat("PICSPIDER_WORKER_DEAD_SECONDS", LEASE_SECONDS))
        dupefilter = build_from_crawler(load_object(crawler.settings["DUPEFILTER_CLASS"]), crawler)
        frontier = cls(crawler, store, dupefilter)
        crawler.signals.connect(frontier.idle, signals.spider_idle)
        if crawler.engine is not None:
            LeanScraper.adopt(crawler.engine)
        return frontier

    def open(self, spider: Spider) -> None:
        """Called by the engine before the first request."""
        own = getattr(spider, "reads_notes", False)
        self._codec = NotedRequests(spider, self.dupefilter) if own else ForeignRequests(self.crawler, spider)
        downloader = self.crawler.engine.downloader if self.crawler.engine else None
        self._free_places = getattr(downloader, "free_places", self._free_places)
        self._carrier = Carrier.of(self.crawler.engine) if own else None
        self._sharing.start()
        leave_alone_what_is_loaded()

    # -- what goes in

    def enqueue_request(self, request: Request) -> bool:
        """Take a request in. False when it is a repeat; both places are noted then."""
        note = self._codec.note_for(request)
        if note.id:
            # A retry or a redirect goes on with its row; it is the same sighting.
            self._running.pop(note.id, None)
            self.again.append(request)
            return True
        token, key = self._codec.name_of(request, note)
        known = self.dupefilter.recall(token)
        if known is not None:
            return self._sighted_again(request, note, token, key, known)
        try:
            sighting = self._sighting(request, note, token, key)
        except (TypeError, ValueError) as exc:
            logger.warning("%s is fetched, but not kept over a restart: it does not fit into JSON (%s)", request, exc)
            self.again.append(request)
            return True
        self.batch.sightings.append(sighting)
        self._fresh_hosts.add(sighting.host)
        if len(self.batch.sightings) >= self.in_size and not self._turner.busy:
            self._turn(0)
        return True

    def _sighting(self, request: Request, note: Note, token: str, key: int) -> Sighting:
        priority, rank = self.order.place(note)
        url = request.url
        return Sighting(
            url=url,
            key=key,
            host=host_key(url),
            layer=note.layer,
            page=note.page,
            kind=note.kind,
            parent=note.parent,
            position=note.position,
            chain=note.chain if note.page > 1 else 0,
            text=note.text,
            priority=priority,
            rank=rank,
            again=note.again,
            request=self._codec.extra(request),
            token=token,
            repeats=note.repeats,
            lifts=self.order.lifts,
        )

    def _sighted_again(self, request: Request, note: Note, token: str, key: int, known: tuple[int, int]) -> bool:
        row, parent = known
        if self.order.lifts:
            priority, _ = self.order.place(note)
            self.batch.lifts[row] = max(priority, self.batch.lifts.get(row, priority))
        if note.repeats and (note.again or (note.parent and parent != note.parent)):
            self.batch.repeats.append((row, self._sighting(request, note, token, key)))
        return False

    # -- what comes out

    def next_request(self) -> Request | None:
        """The next request whose host has a free place; None when there is none now, or a carrier has taken it."""
        if self._carrier is None:
            return self._next()
        self._carrier.carry(self._next)
        return None

    def _next(self) -> Request | None:
        # A turn comes before a request is handed out, never after: one that is handed out but not yet with the
        # engine would look as if it had been dropped.
        if self.exact and self._is_busy():
            return None
        due = self.exact or time.monotonic() - self._last_turn > TURN_SECONDS
        low = self.store.shared and self._table_waits and 2 * len(self.out) < self.out_size
        if ((due and (self.batch or self._ended)) or low) and not self._turner.busy:
            self._turn(self._room())
        request = self._from_memory()
        if request is None and not self._turner.busy and self._worth_a_turn():
            self._turn(self._room() or BESIDE_BLOCKED, beside=tuple(self.out.hosts()))
            request = self._from_memory()
        if request is None:
            self._wake_when_ready()
        return request

    def _is_busy(self) -> bool:
        """Whether something that was handed out is not finished: what it finds may come before all that waits."""
        busy = in_progress(self.crawler.engine)
        return any(request in busy for request in self._running.values())

    def _from_memory(self) -> Request | None:
        for _ in range(len(self.again)):
            request = self.again.popleft()
            if self._free_places(host_key(request.url)) > 0:
                return self._hand_out(request)
            self.again.append(request)
        row = self.out.take(self._free_places)
        while row is not None and not self.budget.allows(row.kind):
            self.batch.give_back.append(row.id)
            row = self.out.take(self._free_places)
        if row is None:
            return None
        self.budget.spend(row.kind)
        return self._hand_out(self._codec.request(row))

    def _hand_out(self, request: Request) -> Request:
        note = note_of(request)
        if note is not None and note.id:
            self._running[note.id] = request
        return request

    def _worth_a_turn(self) -> bool:
        """Whether the table may have a row that can be fetched now, while there is none in memory."""
        if not (self.budget.allows("page") or self.budget.allows("picture")):
            return False
        if not len(self.out):
            return self._table_waits or bool(self._fresh_hosts)
        waiting = self.out.hosts()
        if self._fresh_hosts.difference(waiting):
            return True
        return self._table_waits and self._other_hosts.may_wait(waiting)

    def _room(self) -> int:
        return max(0, self.out_size - len(self.out))

    def _hosts_in_memory(self) -> set[str]:
        return {*self.out.hosts(), *(host_key(request.url) for request in self.again)}

    def _wake_when_ready(self) -> None:
        """Have the engine ask again when the first waiting host may be asked again."""
        downloader = self.crawler.engine.downloader if self.crawler.engine else None
        ready = getattr(downloader, "seconds_until_ready", None)
        hosts = self._hosts_in_memory()
        if ready is None or not hosts or self._wake_at is not None:
            return
        waits = [seconds for host in hosts if (seconds := ready(host)) > 0]
        if waits:
            self._wake_at = time.monotonic() + min(waits)
            asyncio.get_running_loop().call_later(min(waits) + 0.001, self._woken)

    def _woken(self) -> None:
        self._wake_at = None
        wake(self.crawler.engine)

    # -- turns

    def _turn(self, count: int, beside: tuple[str, ...] = ()) -> None:
        """Write what has gathered and take up to *count* rows, none of the hosts *beside* which they are to stand."""
        self._collect_ended()
        self._last_turn = time.monotonic()
        batch, self.batch = self.batch, Batch()
        self._fresh_hosts = set()
        pages, pictures = self.budget.allows("page"), self.budget.allows("picture")
        self._turner.turn(batch, Want(count if pages or pictures else 0, beside, pages, pictures))

    def _turned(self, batch: Batch, want: Want, turned: Turned) -> None:
        self.dupefilter.learn(turned.known)
        self.lookups.claims.written(batch.outcomes)
        if turned.new or turned.reopened or batch.give_back:
            self._table_waits = True
            self._other_hosts.entered(sighting.host for sighting in batch.sightings)
        if turned.reopened or batch.give_back:
            self._other_hosts.forget()
        if want.count:
            exhausted = len(turned.rows) < want.count
            if want.not_hosts:
                self._other_hosts.looked(want.not_hosts, in_vain=exhausted)
            self._table_waits = not exhausted or bool(want.not_hosts)
        self.out.add(turned.rows)
        stats = self.crawler.stats
        if stats is not None:
            stats.inc_value("picspider/store/turns")
            for name, number in (("new", turned.new), ("repeats", turned.repeats), ("ended", len(batch.outcomes))):
                if number:
                    stats.inc_value(f"picspider/urls/{name}", number)

    def _collect_ended(self) -> None:
        busy = in_progress(self.crawler.engine)
        for row, request in list(self._running.items()):
            if request in busy:
                continue
            del self._running[row]
            outcome = self._ended.pop(row, None) or self._codec.unsaid(request)
            note = note_of(request)
            if note is not None and note.kind == "picture" and not isinstance(outcome, Stored):
                self.budget.refund("picture")
            self.batch.outcomes[row] = outcome
            if isinstance(outcome, PageRead) and outcome.final_url is not None:
                key = self.dupefilter.key_of(outcome.final_url)
                if key != self.dupefilter.key_of(note.redirects[0] if note and note.redirects else request.url):
                    self.batch.aliases[key] = row

    # -- the end

    def has_pending_requests(self) -> bool:
        """Whether anything is left that this run may fetch."""
        if self._turner.broken:
            return False
        if self.again or self._turner.busy or self.batch.sightings:
            return True
        if not (self.budget.allows("page") or self.budget.allows("picture")):
            return False
        return bool(len(self.out)) or self._table_waits

    def idle(self, spider: Spider) -> None:
        """Before the spider closes for want of work. Raises CloseSpider or DontCloseSpider when there is some left."""
        if self._turner.broken:
            return
        if not self._turner.busy and (self.batch or self._running):
            self._turn(0)
        pages, pictures = self.budget.allows("page"), self.budget.allows("picture")
        if self._turner.busy or self.again or self._waits_for(pages=pages, pictures=pictures):
            self._ask_again(0.01)
        if self._second_chances():
            self._ask_again(0.01)
        if self.lookups.anything_waits():
            raise CloseSpider("limit")
        if self.store.shared and not self.store.may_end():
            self._ask_again(min(OTHERS_POLL_SECONDS, self.store.lease_seconds / 4))

    def _second_chances(self) -> bool:
        """Once, when all else is done: what failed a while ago for a passing reason is tried again."""
        if self._had_second_chances or self.store.shared:
            return False
        self._had_second_chances = True
        with self.store.transaction() as connection:
            rows = passing_failures(connection, self._began, time.time() - SECOND_CHANCE_SECONDS)
            mark_for_retry(connection, rows)
        if rows:
            logger.info("Trying %d failures once more that may have passed by now", len(rows))
        return bool(rows)

    def _waits_for(self, *, pages: bool, pictures: bool) -> bool:
        return (pages or pictures) and self.lookups.anything_waits(pages=pages, pictures=pictures)

    def _ask_again(self, seconds: float) -> None:
        self._table_waits = True
        self._other_hosts.forget()
        asyncio.get_running_loop().call_later(seconds, wake, self.crawler.engine)
        raise DontCloseSpider

    def close(self, reason: str) -> Deferred[None]:
        """Write what is left; rows that were taken out go back to waiting."""
        return deferred_from_coro(self._close(reason))

    async def _close(self, reason: str) -> None:
        await self._turner.finished()
        self._collect_ended()
        self.batch.give_back.extend(self.out.clear())
        self.batch.give_back.extend(self._running)
        self.batch.give_back.extend(note.id for request in self.again if (note := note_of(request)) and note.id)
        await self._turner.last(self.batch)
        await self._sharing.stop()
        self.batch = Batch()
        self.lookups.close()
        cache, stats = self.dupefilter.cache, self.crawler.stats
        if stats is not None:
            for name in ("tests", "hits", "evictions", "hit_rate"):
                stats.set_value(f"picspider/seen/{name}", getattr(cache, name))
        self.dupefilter.close(reason)

    def __len__(self) -> int:
        return len(self.out) + len(self.again) + len(self.batch.sightings)
