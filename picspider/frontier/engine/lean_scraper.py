"""Scrapy's scraper with a short way for what picspider's spiders return: a list or a tuple.

The stock scraper runs every callback's output through asynchronous generators, a queue and two tasks, which costs as
much as all the rest of a request together. None of that is needed for a plain list when no spider middleware asks for
the output; with one, or with any other output, everything goes the stock way.

Checked on Scrapy 2.19.0 (`tests/frontier/engine/test_lean_scraper.py` names the version).
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.core.scraper import Scraper
from scrapy.http import Response

from picspider.frontier.engine.direct_signals import DirectSignals

if TYPE_CHECKING:
    from scrapy.core.engine import ExecutionEngine
    from twisted.python.failure import Failure

logger = logging.getLogger("scrapy.core.scraper")


class LeanScraper(Scraper):
    """Takes the place of the engine's scraper before the spider is opened, with all that it has set up.

    `plain`: no spider middleware wants to see what callbacks return.
    """

    plain: bool

    @classmethod
    def adopt(cls, engine: ExecutionEngine) -> None:
        """Replace the scraper of *engine* by one of this class with the same state."""
        lean = cls.__new__(cls)
        lean.__dict__.update(engine.scraper.__dict__)
        lean.plain = not any(
            method is not None
            for name in ("process_spider_input", "process_spider_output", "process_spider_exception")
            for method in lean.spidermw.methods[name]
        )
        engine.signals = lean.signals = DirectSignals(engine.crawler)
        engine.scraper = lean

    async def take(self, result: Response | Failure, request: Request) -> None:
        """Bring *result* to its end: what `enqueue_scrape` does, in the caller's task."""
        slot = self.slot
        assert slot is not None
        # As `add_response_request`, without a queue and a Deferred to wait for it.
        slot.active.add(request)
        size_bytes = len(result.body) if isinstance(result, Response) else 0
        slot.active_size += max(size_bytes, slot.MIN_RESPONSE_SIZE)
        try:
            await self._scrape(result, request)
        except Exception:
            logger.exception("Scraper bug processing %s", request)
        finally:
            slot.finish_response(result, request)
            self._check_if_closing()

    async def _scrape(self, result: Response | Failure, request: Request) -> None:
        if not self.plain or not isinstance(result, Response):
            await super()._scrape(result, request)
            return
        if result.request is None:
            result.request = request
        origin = result.request
        callback: Any = origin.callback or self.crawler.spider._parse  # type: ignore[union-attr]  # noqa: SLF001 - as Scrapy
        try:
            output = callback(result, **origin.cb_kwargs) if origin.cb_kwargs else callback(result)
        except Exception:  # noqa: BLE001 - whatever a callback raises is the spider's error
            from twisted.python.failure import Failure as Caught  # noqa: PLC0415 - for the rare error only

            self.handle_spider_error(Caught(), request, result)  # type: ignore[no-untyped-call]  # Twisted's
            return
        if type(output) not in (list, tuple):
            await self.handle_spider_output_async(await _iterable(output), request, result)
            return
        crawl = self.crawler.engine.crawl
        for found in output:
            if isinstance(found, Request):
                crawl(found)
            elif found is not None:
                await self.start_itemproc_async(found, response=result)


async def _iterable(output: Any) -> Any:
    from scrapy.utils.defer import ensure_awaitable  # noqa: PLC0415 - for the rare output only
    from scrapy.utils.spider import iterate_spider_output  # noqa: PLC0415 - as above

    return await ensure_awaitable(iterate_spider_output(output))
