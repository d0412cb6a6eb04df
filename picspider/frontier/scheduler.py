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

from scrapy.core.scheduler import BaseScheduler
from scrapy.exceptions import CloseSpider
from scrapy import signals
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.misc import build_from_crawler, load_object

from picspider.frontier.budget import Budget
from picspider.frontier.engine_adapter import in_progress, wake
from picspider.frontier.lookups import Lookups
from picspider.frontier.orders import ORDERS
from picspider.frontier.out_buffer import OutBuffer
from picspider.frontier.renewing import expired_below, renew
from picspider.frontier.requests import RequestCodec
from picspider.frontier.revoking import reopen_placeholders, revoke_content
from picspider.frontier.store import Store
from picspider.frontier.turn import Batch, Turned, Want, turn
from picspider.records import Lost, Repeated, Sighting, Stored
from picspider.urls import host_key
from picspider.visit import note_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from twisted.internet.defer import Deferred
    from typing_extensions import Self

    from picspider.frontier.dupefilter import PairDupeFilter
    from picspider.records import Outcome, Row
    from picspider.visit import Note

logger = logging.getLogger(__name__)

TURN_SECONDS = 0.25
OTHERS_POLL_SECONDS = 1.0


class Frontier(BaseScheduler):
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
        self.order = ORDERS[settings.get("PICSPIDER_ORDER", "breadth")]()
        self.exact = settings.getint("CONCURRENT_REQUESTS") == 1
        self.in_size = settings.getint("PICSPIDER_IN_BUFFER", 2000)
        self.out_size = min(
            settings.getint("PICSPIDER_OUT_BUFFER", 100), max(4, 2 * settings.getint("CONCURRENT_REQUESTS"))
        )
        self.batch = Batch()
        self.out = OutBuffer()
        self.again: deque[Request] = deque()
        self._running: dict[int, Request] = {}
        self._ended: dict[int, Outcome] = {}
        self._table_waits = True
        self._last_turn = 0.0
        self._turning: asyncio.Future[None] | None = None
        self._wake_at: float | None = None
        self._codec: RequestCodec
        self._free_places: Callable[[str], int] = lambda _host: 1

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Settings: PICSPIDER_STORE (SQLAlchemy URL) and those of the parts. Raises `StoreError`."""
        store = getattr(crawler.spider, "store", None)
        if store is None:
            store = Store(crawler.settings["PICSPIDER_STORE"])
            store.acquire()
            store.begin_run("{}")
        dupefilter = build_from_crawler(load_object(crawler.settings["DUPEFILTER_CLASS"]), crawler)
        frontier = cls(crawler, store, dupefilter)
        crawler.signals.connect(frontier.idle, signals.spider_idle)
        return frontier

    def open(self, spider: Spider) -> None:
        """Called by the engine before the first request."""
        self._codec = RequestCodec(spider)
        downloader = self.crawler.engine.downloader if self.crawler.engine else None
        self._free_places = getattr(downloader, "free_places", self._free_places)

    # -- what goes in

    def enqueue_request(self, request: Request) -> bool:
        """Take a request in. False when it is a repeat; both places are noted then."""
        note = note_of(request)
        if note is not None and note.id:
            # A retry or a redirect goes on with its row; it is the same sighting.
            self._running.pop(note.id, None)
            self.again.append(request)
            return True
        note = note or self._codec.note_for(request)
        known = self.dupefilter.recall(request.url)
        if known is not None:
            return self._sighted_again(request, note, known)
        self.batch.sightings.append(self._sighting(request, note))
        if len(self.batch.sightings) >= self.in_size and self._turning is None:
            self._turn(0)
        return True

    def _sighting(self, request: Request, note: Note) -> Sighting:
        priority, rank = self.order.place(note)
        return Sighting(
            url=request.url,
            key=self.dupefilter.key_of(request.url),
            host=host_key(request.url),
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
        )

    def _sighted_again(self, request: Request, note: Note, known: tuple[int, int]) -> bool:
        row, parent = known
        if note.again or (note.parent and parent != note.parent):
            self.batch.repeats.append((row, self._sighting(request, note)))
        return False

    # -- what comes out

    def next_request(self) -> Request | None:
        """The next request whose host has a free place; None when there is none now."""
        # A turn comes before a request is handed out, never after: one that is handed out but not yet with the
        # engine would look as if it had been dropped.
        if self._turning is None and self.batch and (self.exact or time.monotonic() - self._last_turn > TURN_SECONDS):
            self._turn(self._room())
        request = self._from_memory()
        if request is None and self._turning is None and (self.batch or self._table_waits):
            self._turn(self._room())
            request = self._from_memory()
        if request is None:
            self._wake_when_ready()
        return request

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
        if note is not None:
            self._running[note.id] = request
        return request

    def _room(self) -> int:
        return max(0, self.out_size - len(self.out))

    def _want(self, count: int) -> Want:
        pages, pictures = self.budget.allows("page"), self.budget.allows("picture")
        if not (pages or pictures):
            return Want(0)
        blocked = tuple(host for host in self.out.hosts() if self._free_places(host) <= 0)
        return Want(count or (8 if blocked else 0), blocked, pages, pictures)

    def _wake_when_ready(self) -> None:
        """Have the engine ask again when the first waiting host may be asked again."""
        downloader = self.crawler.engine.downloader if self.crawler.engine else None
        ready = getattr(downloader, "seconds_until_ready", None)
        hosts = {*self.out.hosts(), *(host_key(request.url) for request in self.again)}
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

    def _turn(self, count: int) -> None:
        """Write what has gathered and refill the out-buffer, at once on SQLite, in a thread on a shared store."""
        self._collect_ended()
        self._last_turn = time.monotonic()
        batch, self.batch = self.batch, Batch()
        want = self._want(count)
        if not self.store.shared:
            self.store.heartbeat()
            self._after(batch, want, turn(self.store, batch, want))
            return
        self._turning = asyncio.ensure_future(self._turn_in_thread(batch, want))

    async def _turn_in_thread(self, batch: Batch, want: Want) -> None:
        try:
            self.store.heartbeat()
            turned = await asyncio.to_thread(turn, self.store, batch, want)
        except Exception:
            logger.exception("The crawl store failed; the run stops here and goes on with the same command")
            self._turning = None
            self.crawler.stop_async()
            raise
        self._turning = None
        self._after(batch, want, turned)
        wake(self.crawler.engine)

    def _after(self, batch: Batch, want: Want, turned: Turned) -> None:
        self.dupefilter.learn(turned.known)
        self.lookups.forget(batch.outcomes)
        self._count(batch, turned)
        if want.count:
            self._table_waits = len(turned.rows) >= want.count or bool(want.not_hosts)
        elif turned.new or batch.give_back:
            self._table_waits = True
        if self.exact and turned.new and len(self.out):
            # Better rows may have come in than those taken out before: order is exact, so choose again.
            self.batch.give_back.extend(self.out.clear())
            self.batch.give_back.extend(row.id for row in turned.rows)
            self._table_waits = True
            self._turn(self._room())
            return
        self.out.add(turned.rows)

    def _count(self, batch: Batch, turned: Turned) -> None:
        stats = self.crawler.stats
        if stats is None:
            return
        stats.inc_value("picspider/store/turns")
        for name, count in (("new", turned.new), ("repeats", turned.repeats), ("ended", len(batch.outcomes))):
            if count:
                stats.inc_value(f"picspider/urls/{name}", count)

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

    # -- what spiders and pipelines say

    def end(self, request: Request, outcome: Outcome) -> None:
        """Say what became of *request*. It is written when the engine is done with it."""
        note = note_of(request)
        if note is None:
            return
        self._ended[note.id] = outcome
        if isinstance(outcome, Stored):
            self.budget.received_bytes += outcome.facts.bytes

    def outcome_of(self, request: Request) -> Outcome | None:
        """What was said of *request* so far."""
        note = note_of(request)
        return self._ended.get(note.id) if note is not None else None

    def revoke(self, sha256: str, message: str) -> list[str]:
        """Take pictures with this content back as failures `placeholder`; returns the files that have to go."""
        files = []
        for row, outcome in self._ended.items():
            if isinstance(outcome, Stored | Repeated) and outcome.sha256 == sha256:
                self._ended[row] = Lost("placeholder", message, outcome.status, outcome.final_url, outcome.attempts)
                if isinstance(outcome, Stored):
                    files.append(outcome.file)
        if self._turning is None:
            self._turn(0)
        with self.store.transaction() as connection:
            files += revoke_content(connection, sha256, message)
        return files

    def ask_differently(self, host: str, referer: str) -> None:
        """From now on pictures of *host* get this Referer; its failures `placeholder` are fetched again."""
        self._codec.referers[host] = referer
        self._reopen_placeholders(host)

    def expired_below(self, page: int) -> list[tuple[int, str]]:
        """(row, URL) of the pictures of *page* whose address may have expired, and that wait for a fresh one."""
        return expired_below(self.lookups.connection, page)

    def renew(self, fresh: list[tuple[int, str]]) -> None:
        """Give rows the fresh addresses that their page shows now; they are fetched."""
        with self.store.transaction() as connection:
            renew(connection, [(row, url, self.dupefilter.key_of(url)) for row, url in fresh])
        self._table_waits = True

    def _reopen_placeholders(self, host: str) -> None:
        if self._turning is None:
            self._turn(0)
        with self.store.transaction() as connection:
            if reopen_placeholders(connection, host):
                self._table_waits = True

    def row_of(self, url: str) -> int | None:
        """The row of *url*: 0 while it is on its way into the table, None when it was never sighted."""
        known = self.dupefilter.recall(url)
        if known is not None:
            return known[0]
        return self.lookups.row_of(self.dupefilter.key_of(url), self.batch.sightings)

    # -- the end

    def has_pending_requests(self) -> bool:
        """Whether anything is left that this run may fetch."""
        if self.again or self._turning is not None or self.batch.sightings:
            return True
        if not (self.budget.allows("page") or self.budget.allows("picture")):
            return False
        return bool(len(self.out)) or self._table_waits

    def idle(self, spider: Spider) -> None:
        """Before the spider closes for want of work: stop with the reason `limit` when a limit is why."""
        self._turn(0)
        limited = self.budget.spent or not (self.budget.allows("page") and self.budget.allows("picture"))
        if limited and self.lookups.anything_waits():
            raise CloseSpider("limit")
        if self.store.shared and self.store.others_running():
            from scrapy.exceptions import DontCloseSpider  # noqa: PLC0415 - shared stores only

            self._table_waits = True
            asyncio.get_running_loop().call_later(OTHERS_POLL_SECONDS, wake, self.crawler.engine)
            raise DontCloseSpider

    def close(self, reason: str) -> Deferred[None]:
        """Write what is left; rows that were taken out go back to waiting."""
        return deferred_from_coro(self._close())

    async def _close(self) -> None:
        if self._turning is not None:
            await self._turning
        self._collect_ended()
        self.batch.give_back.extend(self.out.clear())
        self.batch.give_back.extend(self._running)
        self.batch.give_back.extend(note.id for request in self.again if (note := note_of(request)))
        turn(self.store, self.batch, Want(0))
        self.batch = Batch()
        self.lookups.close()
        cache, stats = self.dupefilter.cache, self.crawler.stats
        if stats is not None:
            for name in ("tests", "hits", "evictions", "hit_rate"):
                stats.set_value(f"picspider/seen/{name}", getattr(cache, name))

    def __len__(self) -> int:
        return len(self.out) + len(self.again) + len(self.batch.sightings)
