"""Requests from rows, and rows from requests. Nothing is pickled: what does not fit in columns is JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from scrapy import Request

from picspider.records import Lost
from picspider.visit import Note, meta_of, note_of

if TYPE_CHECKING:
    from scrapy import Spider

    from picspider.frontier.dupefilter import PairDupeFilter
    from picspider.records import Outcome, Row


class RequestCodec(Protocol):
    """What the frontier must know of a spider's requests."""

    referers: dict[str, str]

    def name_of(self, request: Request, note: Note) -> tuple[str, int]:
        """(what the seen-cache knows it by, the table's key)."""
        ...

    def note_for(self, request: Request) -> Note:
        """The note of a request on its way in; `id` is not 0 when it goes on with its row."""
        ...

    def extra(self, request: Request) -> str | None:
        """JSON of what does not fit in columns. Raises TypeError or ValueError when something fits nowhere."""
        ...

    def request(self, row: Row) -> Request:
        """The request that fetches *row*."""
        ...

    def unsaid(self, request: Request) -> Outcome:
        """The outcome of a request that left the engine without a word."""
        ...


class NotedRequests:
    """For picspider's own spiders a row says all."""

    def __init__(self, spider: Spider, dupefilter: PairDupeFilter) -> None:
        self._callback = getattr(spider, "parse", None)
        self._errback = getattr(spider, "failed", None)
        self._key_of = dupefilter.key_of
        self.referers: dict[str, str] = {}

    def name_of(self, request: Request, note: Note) -> tuple[str, int]:
        """See `RequestCodec`."""
        return request.url, self._key_of(request.url, note.kind)

    def note_for(self, request: Request) -> Note:
        """See `RequestCodec`."""
        return note_of(request) or Note(score=request.priority)

    def extra(self, request: Request) -> str | None:
        """See `RequestCodec`."""
        return None

    def request(self, row: Row) -> Request:
        """See `RequestCodec`."""
        note = noted(row, self.referers.get(row.host) if row.kind == "picture" else None)
        return Request(row.url, self._callback, dont_filter=True, errback=self._errback, meta=meta_of(note))

    def unsaid(self, request: Request) -> Outcome:
        """See `RequestCodec`."""
        note = note_of(request)
        return Lost(
            "parse",
            "dropped by a middleware or an item pipeline, or one of them raised; see the log",
            attempts=note.attempts + 1 if note else 1,
        )


def noted(row: Row, referer: str | None = None) -> Note:
    """The note of *row*, fetched for the first time in this run."""
    return Note(
        id=row.id,
        layer=row.layer,
        page=row.page,
        kind=row.kind,
        parent=row.parent,
        parent_url=row.parent_url,
        position=row.position,
        chain=row.chain,
        text=row.text,
        score=row.priority,
        referer=referer,
    )
