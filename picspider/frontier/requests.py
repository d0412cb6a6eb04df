"""Requests from rows, and rows from requests. Nothing is pickled: what does not fit in columns is JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from scrapy import Request

from picspider.records import Answer, Lost, Sighting
from picspider.urls import host_key
from picspider.visit import Note, meta_of, note_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy import Spider

    from picspider.frontier.dupefilter import PairDupeFilter
    from picspider.frontier.turn.orders import Order
    from picspider.records import Outcome, Row


class Identity(NamedTuple):
    """What makes a request the same as another: the `token` that the seen-cache knows it by, and the table's `key`."""

    token: str
    key: int


class RequestCodec(Protocol):
    """What the frontier must know of a spider's requests."""

    def identity_of(self, request: Request, note: Note) -> Identity:
        """What it is known by."""
        ...

    def note_for(self, request: Request) -> Note:
        """The note of a request on its way in; `id` is not 0 when it goes on with its row."""
        ...

    def as_json(self, request: Request) -> str | None:
        """JSON of what does not fit in columns. Raises TypeError or ValueError when something fits nowhere."""
        ...

    def request(self, row: Row) -> Request:
        """The request that fetches *row*."""
        ...

    def presumed_outcome(self, request: Request) -> Outcome:
        """The outcome of a request that left the engine without a word."""
        ...


class NotedRequests:
    """For picspider's own spiders a row says all; *referers*: rules of hosts that want another Referer."""

    def __init__(self, spider: Spider, dupefilter: PairDupeFilter, referers: Mapping[str, str]) -> None:
        self._callback = getattr(spider, "parse", None)
        self._errback = getattr(spider, "failed", None)
        self._key_of = dupefilter.key_of
        self._referers = referers

    def identity_of(self, request: Request, note: Note) -> Identity:
        """See `RequestCodec`."""
        return Identity(request.url, self._key_of(request.url, note.kind))

    def note_for(self, request: Request) -> Note:
        """See `RequestCodec`."""
        return note_of(request) or Note(priority=request.priority)

    def as_json(self, request: Request) -> str | None:
        """See `RequestCodec`."""
        return None

    def request(self, row: Row) -> Request:
        """See `RequestCodec`."""
        note = noted(row, self._referers.get(row.host) if row.kind == "picture" else None)
        return Request(row.url, self._callback, dont_filter=True, errback=self._errback, meta=meta_of(note))

    def presumed_outcome(self, request: Request) -> Outcome:
        """See `RequestCodec`."""
        note = note_of(request)
        told = "dropped by a middleware or an item pipeline, or one of them raised; see the log"
        return Lost(Answer(attempts=note.attempts + 1 if note else 1), "parse", told)


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
        priority=row.priority,
        referer=referer,
    )


def sighting_of(request: Request, note: Note, identity: Identity, as_json: str | None, order: Order) -> Sighting:
    """*request* on its way into the table, placed by *order*."""
    priority, rank = order.place(note)
    url = request.url
    return Sighting(
        url=url,
        key=identity.key,
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
        request=as_json,
        token=identity.token,
        repeats=note.repeats,
        lifts=order.lifts,
    )
