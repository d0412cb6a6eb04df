"""One task carries a request from the scheduler to its end: through the downloader, the spider and the pipelines.

Scrapy's engine hands it from a task through nine Deferreds to a second task, which costs as much as the whole download.
Signals, log lines, limits and the engine's own books (who is in progress, is there room) stay as they are.

Checked on Scrapy 2.19.0 (`tests/frontier/engine/test_carrier.py` names the version).
"""

from __future__ import annotations

import asyncio
import logging
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from scrapy import Request, signals
from scrapy.http import Response
from scrapy.utils.log import logformatter_adapter
from twisted.python.failure import Failure

from picspider.frontier.engine.engine_adapter import slot_of
from picspider.frontier.engine.lean_scraper import LeanScraper

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.core.engine import ExecutionEngine

logger = logging.getLogger("scrapy.core.engine")
WAITED_SECONDS = 0.01


class Downloader(Protocol):
    """What the carrier needs of the engine's downloader (`picspider.fetch.downloader`)."""

    def begin(self, request: Request) -> Any:
        """Count *request* from now on; what is returned is for `download`."""

    async def download(self, request: Request, slot: Any) -> Response | Request:
        """What came of *request*; raises what the errback is to be told."""


class Carrier:
    """Carries the requests of one crawl. Only for an engine with this project's downloader and scraper."""

    def __init__(self, engine: ExecutionEngine, downloader: Downloader, scraper: LeanScraper) -> None:
        self._engine = engine
        self._downloader = downloader
        self._scraper = scraper
        self._tasks: set[asyncio.Task[None]] = set()
        self._places: dict[Request, Any] = {}
        self._sent_at_seconds = 0.0  # 0.0: an answer has come since
        self._waits = False

    @classmethod
    def of(cls, engine: ExecutionEngine) -> Carrier | None:
        """A carrier for *engine*; None when it has parts that only Scrapy's own way suits."""
        if not isinstance(engine.scraper, LeanScraper) or not engine.scraper.plain:
            return None
        downloader: Any = engine.downloader
        return cls(engine, downloader, engine.scraper) if hasattr(downloader, "begin") else None

    def carry(self, next_request: Callable[[], Request | None]) -> None:
        """Start requests while there are some and the engine has room."""
        loop = asyncio.get_running_loop()
        while (request := self._next(next_request)) is not None:
            task = loop.create_task(self._work(request, next_request))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._sent_at_seconds = monotonic()

    def _next(self, next_request: Callable[[], Request | None]) -> Request | None:
        engine = self._engine
        if engine.paused or engine.needs_backout():
            return None
        request = next_request()
        if request is not None:
            slot_of(engine).add_request(request)
            # From now on it counts against its host, not only when its turn in the loop comes.
            self._places[request] = self._downloader.begin(request)
        return request

    async def _work(self, first: Request, next_request: Callable[[], Request | None]) -> None:
        """Carry *first*, and at once the next one if this process had to wait for the site.

        Left to the loop, the next ones are sent when all answers that came together are dealt with. That is cheaper,
        but then the site would wait for us as long as we for it.
        """
        slot = slot_of(self._engine)
        request: Request | None = first
        try:
            while request is not None:
                began_seconds = monotonic()
                await self._carry(request)
                # What ended without any wait (refused by robots.txt, say) gives the loop its turn.
                has_waited = monotonic() - began_seconds > WAITED_SECONDS and self._has_waited()
                request = self._next(next_request) if has_waited else None
        finally:
            if slot is not None:
                slot.nextcall.schedule()

    def _has_waited(self) -> bool:
        """Whether the first answer after the last sending let this process wait."""
        if self._sent_at_seconds:
            self._waits = monotonic() - self._sent_at_seconds > WAITED_SECONDS
            self._sent_at_seconds = 0.0
        return self._waits

    async def _carry(self, request: Request) -> None:
        engine = self._engine
        slot = slot_of(engine)
        try:
            result: Response | Request | Failure
            try:
                result = await self._downloader.download(request, self._places.pop(request))
            except (Exception, asyncio.CancelledError):  # noqa: BLE001 - all of it is for the errback
                result = Failure()  # type: ignore[no-untyped-call]  # Twisted has no types here
            if isinstance(result, Request):  # a redirect or a retry
                engine.crawl(result)
                return
            if isinstance(result, Response):
                self._tell(request, result)
            await self._scraper.take(result, request)
        except Exception:
            logger.exception("Carrying %s failed", request)
        finally:
            if slot is not None:
                slot.remove_request(request)

    def _tell(self, request: Request, response: Response) -> None:
        engine, spider = self._engine, self._engine.spider
        if response.request is None:
            response.request = request
        line = engine.logformatter.crawled(response.request, response, spider)  # type: ignore[arg-type]  # is open
        if line is not None:
            logger.log(*logformatter_adapter(line), extra={"spider": spider})
        engine.signals.send_catch_log(
            signal=signals.response_received, response=response, request=response.request, spider=spider
        )
