"""Requests from rows, and rows from requests. Nothing is pickled: what does not fit in columns is JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.utils.request import request_from_dict

from picspider.records import Lost, PageRead
from picspider.visit import META_KEY, Note, attach, note_of

if TYPE_CHECKING:
    from scrapy import Spider

    from picspider.records import Outcome, Row


class RequestCodec:
    """For picspider's own spiders a row says all; any other spider's request is kept as JSON beside it."""

    def __init__(self, spider: Spider) -> None:
        self._spider = spider
        self._own = getattr(spider, "reads_notes", False)
        self._callback = getattr(spider, "parse", None)
        self._errback = getattr(spider, "failed", None)
        self.referers: dict[str, str] = {}

    def note_for(self, request: Request) -> Note:
        """A note for a request that has none: its depth is its layer."""
        return Note(layer=request.meta.get("depth", 0), score=request.priority)

    def extra(self, request: Request) -> str | None:
        """JSON of a request that is more than its URL; None for picspider's own. Raises TypeError when a foreign
        spider's meta or cb_kwargs do not fit into JSON."""
        if self._own:
            return None
        fields = request.to_dict(spider=self._spider)
        fields["meta"] = {key: value for key, value in fields["meta"].items() if key != META_KEY}
        fields["headers"] = {
            key.decode("latin-1"): [value.decode("latin-1") for value in values]
            for key, values in fields["headers"].items()
        }
        fields["body"] = fields["body"].decode("latin-1")
        return json.dumps(fields)

    def request(self, row: Row) -> Request:
        """The request that fetches *row*."""
        note = Note(
            id=row.id,
            layer=row.layer,
            page=row.page,
            kind=row.kind,
            parent=row.parent,
            parent_url=row.parent_url,
            position=row.position,
            chain=row.chain,
            text=row.text,
            attempts=0,
            referer=self.referers.get(row.host) if row.kind == "picture" else None,
        )
        if row.request is None:
            return Request(
                row.url, self._callback, dont_filter=True, errback=self._errback, meta={META_KEY: note}
            )
        fields = json.loads(row.request)
        fields["body"] = fields["body"].encode("latin-1")
        return attach(request_from_dict(fields, spider=self._spider), note)

    def unsaid(self, request: Request) -> Outcome:
        """The outcome of a request that left the engine without a word."""
        if not self._own:
            return PageRead(status=0, final_url=None, links=0, content=0)
        note = note_of(request)
        attempts = note.attempts + 1 if note else 1
        return Lost(
            "parse", "dropped by a middleware, or the callback raised; see the log", attempts=attempts
        )
