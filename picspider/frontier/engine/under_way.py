"""Requests that are with the engine, and what became of them once it is done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from picspider.frontier.engine.engine_adapter import in_progress
from picspider.records import PageRead, Stored
from picspider.visit import note_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request
    from scrapy.crawler import Crawler

    from picspider.frontier.row_ledger import RowLedger
    from picspider.records import Outcome
    from picspider.visit import Note


class UnderWay:
    """By their rows. The outcome of each is what was said to the *ledger*; it goes into the ledger's batch."""

    def __init__(self, crawler: Crawler, ledger: RowLedger) -> None:
        self._crawler, self._ledger = crawler, ledger
        self._requests: dict[int, Request] = {}

    def __bool__(self) -> bool:
        return bool(self._requests)

    @property
    def rows(self) -> list[int]:
        """The rows whose end is not collected yet."""
        return list(self._requests)

    def hand_out(self, request: Request) -> Request:
        """*request* goes to the engine now."""
        note = note_of(request)
        if note is not None and note.id:
            self._requests[note.id] = request
        return request

    def came_back(self, row: int) -> None:
        """The request of *row* is replaced by another, a retry or what a redirect led to, which waits."""
        self._requests.pop(row, None)

    def any_in_progress(self) -> bool:
        """Whether the engine is not done with all of them."""
        busy = in_progress(self._crawler.engine)
        return any(request in busy for request in self._requests.values())

    def collect(self, presumed: Callable[[Request], Outcome]) -> None:
        """Put the ends of what the engine is done with into the batch; *presumed*: of one that nobody spoke of."""
        busy, said = in_progress(self._crawler.engine), self._ledger.ended
        for row, request in list(self._requests.items()):
            if request not in busy:
                del self._requests[row]
                self._end(row, request, said.pop(row) if row in said else presumed(request))

    def _end(self, row: int, request: Request, outcome: Outcome) -> None:
        note = note_of(request)
        if note is not None and note.kind == "picture" and not isinstance(outcome, Stored):
            self._ledger.budget.refund("picture")
        self._ledger.batch.outcomes[row] = outcome
        if isinstance(outcome, PageRead) and outcome.answer.final_url is not None:
            self._note_alias(row, outcome.answer.final_url, _asked_for(request, note))

    def _note_alias(self, row: int, final_url: str, asked_for: str) -> None:
        key_of = self._ledger.dupefilter.key_of
        key = key_of(final_url)
        if key != key_of(asked_for):
            self._ledger.batch.aliases[key] = row


def _asked_for(request: Request, note: Note | None) -> str:
    return note.redirects[0] if note is not None and note.redirects else request.url
