"""The DOWNLOADER of Scrapy's engine, rebuilt so that the limits of a host are obeyed and a request is cheap.

Scrapy 2.19 counts a transfer only once its task runs, so a burst passes CONCURRENT_REQUESTS_PER_DOMAIN; it also
sends three signals and makes several tasks and Deferreds for each request. Here one task carries a request through
the downloader middlewares, a place of its host, the download handler, and back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from scrapy import Request, signals
from scrapy.core.downloader.handlers import DownloadHandlers
from scrapy.core.downloader.middleware import DownloaderMiddlewareManager
from scrapy.http import Response
from scrapy.utils.misc import build_from_crawler
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from picspider.fetch.chain import MiddlewareChain
from picspider.fetch.slots import HostSlot
from picspider.listeners import Listeners
from picspider.urls import host_key

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

_MANY_SLOTS = 1000


class Downloader:
    """Downloads requests. The engine calls `fetch`, `needs_backout` and `close`; a scheduler those about hosts."""

    DOWNLOAD_SLOT = "download_slot"

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self.crawler = crawler
        self.settings = settings
        self.signals = crawler.signals
        self.active: set[Request] = set()
        self.slots: dict[str, HostSlot] = {}
        self.total_concurrency: int = settings.getint("CONCURRENT_REQUESTS")
        self.domain_concurrency: int = max(1, settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN"))
        self.per_slot_settings: dict[str, dict[str, Any]] = settings.getdict("DOWNLOAD_SLOTS")
        self.handlers = DownloadHandlers(crawler)
        self.middleware: DownloaderMiddlewareManager = build_from_crawler(DownloaderMiddlewareManager, crawler)
        self._delay: float = settings.getfloat("DOWNLOAD_DELAY")  # AutoThrottle sets it
        self._jitter: float = settings.getfloat("DOWNLOAD_DELAY_JITTER")
        self._waiting = 0  # requests in `wait_outside`
        self._shared = False
        self._chain = MiddlewareChain(self.middleware, crawler)
        self._listeners = Listeners(crawler.signals.sender)
        self._tasks: set[asyncio.Task[None]] = set()
        self._downloads: dict[str, Callable[[Request], Awaitable[Response]]] = {}

    # What the engine calls

    def fetch(self, request: Request) -> Deferred[Response | Request]:
        """Send *request* through the middlewares and download it; it counts against its host from this call on."""
        outcome: Deferred[Response | Request] = Deferred()
        task = asyncio.get_running_loop().create_task(self._run(request, self.begin(request), outcome))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return outcome

    def needs_backout(self) -> bool:
        """Whether as many requests as CONCURRENT_REQUESTS are under way (0: no limit)."""
        return 0 < self.total_concurrency <= len(self.active) - self._waiting

    def close(self) -> None:
        """Stop the timers of all hosts."""
        for slot in self.slots.values():
            slot.close()

    def get_slot_key(self, request: Request) -> str:
        """``meta['download_slot']`` if set, else the request's host and port."""
        key: str | None = request.meta.get(self.DOWNLOAD_SLOT)
        return host_key(request.url) if key is None else key

    # What a carrier calls, which has a task of its own for a request

    def begin(self, request: Request) -> HostSlot:
        """Count *request* against its host from now on; `download` has to follow."""
        slot = self._slot(self.get_slot_key(request))
        self.active.add(request)
        slot.active.add(request)
        return slot

    async def download(self, request: Request, slot: HostSlot) -> Response | Request:
        """What came of *request*, which `begin` has counted. Raises what the middlewares or the handler raise."""
        try:
            return await self._chain.run(request, slot, self._download)
        finally:
            # The engine takes an empty `active` for idle, so who waits for this has to go on in the same turn.
            self.active.discard(request)
            slot.active.discard(request)

    # What a scheduler and the retries ask

    def free_places(self, host: str) -> int:
        """How many more requests of *host* ("host:port") can start right now; 0 while it has to wait."""
        slot = self.slots.get(host)
        if slot is None:
            return 0 if self._shared else 1 if self._delay else self.domain_concurrency
        return slot.free_places()

    def seconds_until_ready(self, host: str) -> float:
        """How long the delay or a hold keeps *host* from starting its next request; 0.0: not at all."""
        slot = self.slots.get(host)
        return 0.0 if slot is None else slot.seconds_until_ready()

    def hold(self, host: str, seconds: float) -> None:
        """Start nothing on *host* for *seconds* (Retry-After, back-off); other hosts go on."""
        self._slot(host).hold(seconds)

    # What a frontier says and asks that shares the hosts with other workers

    def share_hosts(self) -> None:
        """From now on a host has only the places that `share` gives it, none to begin with."""
        self._shared = True
        for slot in self.slots.values():
            slot.set_places(0)

    def share(self, host: str, places: int) -> None:
        """Let at most *places* transfers of *host* run at once."""
        self._slot(host).set_places(places)

    def limit_of(self, host: str) -> int:
        """How many transfers of *host* may run at once, over all workers."""
        return int(self._own(host).get("concurrency", self.domain_concurrency))

    def keeps_delay(self, host: str) -> bool:
        """Whether the starts on *host* have to be some time apart."""
        return self._slot(host).delay > 0

    async def wait_outside(self, request: Request, seconds: float) -> None:
        """Wait in a middleware without *request* taking a place from others, of its host or of all."""
        slot = self.slots.get(self.get_slot_key(request))
        if slot is not None:
            slot.active.discard(request)
        self._waiting += 1
        try:
            await asyncio.sleep(seconds)
        finally:
            self._waiting -= 1

    # The way of one request

    async def _run(self, request: Request, slot: HostSlot, outcome: Deferred[Response | Request]) -> None:
        result: Response | Request | Failure
        try:
            result = await self.download(request, slot)
        except (Exception, asyncio.CancelledError):  # noqa: BLE001  # all of it is for the errback
            result = Failure()  # type: ignore[no-untyped-call]  # Twisted has no types here
        outcome.callback(result)

    async def _download(self, request: Request, slot: HostSlot) -> Response:
        request.meta[self.DOWNLOAD_SLOT] = slot.key
        self._tell(signals.request_reached_downloader, request=request)
        turn = slot.take(request)
        try:
            if turn is not None:
                await turn
            response = await self._handler(request.url)(request)
            self._tell(signals.response_downloaded, request=request, response=response)
            return response
        finally:
            slot.release(request)
            self._tell(signals.request_left_downloader, request=request)

    def _tell(self, signal: object, **facts: object) -> None:
        if self._listeners.hear(signal):
            self.signals.send_catch_log(signal=signal, spider=self.crawler.spider, **facts)

    def _handler(self, url: str) -> Callable[[Request], Awaitable[Response]]:
        scheme = url.partition(":")[0]
        download = self._downloads.get(scheme)
        if download is None:
            # The public way parses the URL and makes one more coroutine for each request.
            handler = self.handlers._get_handler(scheme)  # noqa: SLF001  # a test names the version
            download = self.handlers.download_request_async if handler is None else handler.download_request
            self._downloads[scheme] = download
        return download

    def _slot(self, key: str) -> HostSlot:
        slot = self.slots.get(key)
        if slot is None:
            if len(self.slots) >= _MANY_SLOTS:
                self._forget_idle_slots()
            own = self._own(key)
            slot = self.slots[key] = HostSlot(
                key,
                concurrency=0 if self._shared else self.limit_of(key),
                delay=float(own.get("delay", self._delay)),
                jitter=float(own.get("jitter", self._jitter)),
            )
        return slot

    def _own(self, key: str) -> dict[str, Any]:
        return self.per_slot_settings.get(key) or self.per_slot_settings.get(key.rpartition(":")[0], {})

    def _forget_idle_slots(self) -> None:
        for key, slot in list(self.slots.items()):
            if slot.is_idle():
                del self.slots[key]
