"""Trying again what may be gone in a while, when the server wants it, and without keeping other hosts waiting."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Awaitable
from typing import TYPE_CHECKING

from picspider.failures import may_pass
from picspider.fetch.classify import classify
from picspider.fetch.middlewares.retry_after import retry_after_seconds
from picspider.urls import host_key
from picspider.visit import attach, note_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from picspider.fetch.downloader import Downloader

_HOST_TROUBLES = {"dns", "connection", "timeout"}
_FIRST_WAIT_SECONDS = 0.5


def next_attempt(request: Request) -> Request:
    """*request* once more: the same visit, one attempt on."""
    again = request.replace(dont_filter=True)
    again.headers.pop(b"Cookie", None)
    note = note_of(request)
    if note is not None:
        attach(again, note._replace(attempts=note.attempts + 1))
    again.meta["retry_times"] = request.meta.get("retry_times", 0) + 1
    return again


def attempts_before(request: Request) -> int:
    """The downloads tried before *request*."""
    note = note_of(request)
    return int(request.meta.get("retry_times", 0)) if note is None else note.attempts


class Retries:
    """Retries the statuses and failures that may pass (`failures.may_pass`).

    Retry-After holds the whole host, at most PICSPIDER_RETRY_AFTER_MAX seconds; so does a 429 without it. Anything
    else waits by itself: half a second, doubled each time up to PICSPIDER_BACKOFF_MAX, less a random part of up to a
    half. After RETRY_TIMES retries the response or the failure goes on to the spider. A host that has not answered
    PICSPIDER_HOST_PATIENCE requests in a row gets each further request only once.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self._crawler = crawler
        self._most: int = settings.getint("RETRY_TIMES") if settings.getbool("RETRY_ENABLED", True) else 0
        self._backoff_max_seconds: float = settings.getfloat("PICSPIDER_BACKOFF_MAX", 60.0)
        self._retry_after_max_seconds: float = settings.getfloat("PICSPIDER_RETRY_AFTER_MAX", 120.0)
        self._patience: int = settings.getint("PICSPIDER_HOST_PATIENCE", 30)
        self._troubles: Counter[str] = Counter()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Retries:
        """As Scrapy builds its components."""
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Response | Awaitable[Request | Response]:
        """The response, or an awaitable of the request to make again."""
        if self._troubles:
            self._troubles.pop(host_key(request.url), None)
        if may_pass("http", response.status):
            return self._after_status(request, response)
        return response

    async def process_exception(self, request: Request, exception: Exception) -> Request | None:
        """The request to make again, or None: it is not worth it."""
        failed = classify(exception)
        if failed.reason in _HOST_TROUBLES:
            self._troubles[host_key(request.url)] += 1
        if not may_pass(failed.reason, failed.status) or not self._may(request):
            return None
        await self._wait(request, failed.retry_after_seconds)
        return self._again(request, failed.reason)

    async def _after_status(self, request: Request, response: Response) -> Request | Response:
        if not self._may(request):
            return response
        asked = retry_after_seconds(response)
        if asked is None and response.status == 429:
            asked = self._backoff(request)
        await self._wait(request, asked)
        return self._again(request, f"http/{response.status}")

    def _may(self, request: Request) -> bool:
        meta = request.meta
        most = meta.get("max_retry_times")
        if meta.get("dont_retry") or attempts_before(request) >= (self._most if most is None else most):
            return False
        return self._troubles[host_key(request.url)] < self._patience

    async def _wait(self, request: Request, asked_seconds: float | None) -> None:
        if asked_seconds is None:
            await self._downloader.wait_outside(request, self._backoff(request))
        else:
            self._downloader.hold(host_key(request.url), min(asked_seconds, self._retry_after_max_seconds))

    def _backoff(self, request: Request) -> float:
        wait = min(_FIRST_WAIT_SECONDS * 2.0 ** attempts_before(request), self._backoff_max_seconds)
        return wait * random.uniform(0.5, 1.0)  # not a secret

    def _again(self, request: Request, reason: str) -> Request:
        self._crawler.stats.inc_value("retry/count")
        self._crawler.stats.inc_value(f"retry/reason_count/{reason}")
        return next_attempt(request)

    @property
    def _downloader(self) -> Downloader:
        return self._crawler.engine.downloader  # type: ignore[return-value]  # the DOWNLOADER setting says so
