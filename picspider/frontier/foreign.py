"""Requests of any other spider over the frontier: kept as JSON beside their row, ended by what the engine tells.

Like Scrapy's JOBDIR, but nothing is pickled and nothing is lost by `kill -9`. Spiders need no change; callbacks have
to be methods of the spider, meta and cb_kwargs JSON. What is not is fetched, but not kept (a warning says so).
"""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any

from scrapy import Request, signals
from scrapy.utils.request import request_from_dict

from picspider.frontier.requests import Identity, noted
from picspider.records import Answer, Lost, PageRead
from picspider.visit import Note, attach, note_of, without_note

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from picspider.records import Outcome, Row


class ForeignRequests:
    """See `picspider.frontier.requests.RequestCodec`."""

    def __init__(self, crawler: Crawler, spider: Spider) -> None:
        self._spider = spider
        self._crawler = crawler
        self._answers: dict[int, tuple[int, str]] = {}
        self._errors: dict[int, str] = {}
        crawler.signals.connect(self._answered, signals.response_received)
        crawler.signals.connect(self._raised, signals.spider_error)

    def identity_of(self, request: Request, note: Note) -> Identity:
        """It is Scrapy's fingerprint, which knows method and body.

        A request that wants no filter is another each time, unless it is a start request: those are known after a
        restart.
        """
        fingerprinter = self._crawler.request_fingerprinter
        assert fingerprinter is not None, "the crawler has one while it runs"
        digest = fingerprinter.fingerprint(request)
        if request.dont_filter and not request.meta.get("is_start_request"):
            digest = uuid.uuid4().bytes
        return Identity(digest.hex(), int.from_bytes(digest[:8], "big", signed=True))

    def note_for(self, request: Request) -> Note:
        """A retry or a redirect goes on with its row; a request that copied the meta of an answer does not."""
        note = note_of(request)
        if note is not None and note.id and note.id not in self._answers:
            return note
        return Note(layer=request.meta.get("depth", 0), priority=request.priority)

    def as_json(self, request: Request) -> str | None:
        """See `RequestCodec`."""
        fields: dict[str, Any] = request.to_dict(spider=self._spider)
        fields["meta"] = without_note(fields["meta"])
        fields["headers"] = {
            key.decode("latin-1"): [value.decode("latin-1") for value in values]
            for key, values in fields["headers"].items()
        }
        fields["body"] = fields["body"].decode("latin-1")
        return json.dumps(fields)

    def request(self, row: Row) -> Request:
        """See `RequestCodec`."""
        fields = json.loads(row.request or "{}")
        fields["body"] = fields["body"].encode("latin-1")
        return attach(request_from_dict(fields, spider=self._spider), noted(row))

    def presumed_outcome(self, request: Request) -> Outcome:
        """See `RequestCodec`."""
        note = note_of(request)
        row = note.id if note is not None else 0
        error, answer = self._errors.pop(row, None), self._answers.pop(row, None)
        if error is not None:
            return Lost(Answer(answer[0] if answer else None), "parse", f"the callback raised {error}")
        if answer is None:
            return Lost(
                Answer(), "connection", "no answer: the download failed, or a middleware dropped it; see the log"
            )
        return PageRead(Answer(answer[0], answer[1] if answer[1] != request.url else None), links=0, content=0)

    def _answered(self, response: Response, request: Request) -> None:
        note = note_of(request)
        if note is not None and note.id:
            self._answers[note.id] = (response.status, response.url)

    def _raised(self, failure: Failure, response: Response) -> None:
        note = note_of(response.request) if response.request is not None else None
        if note is not None and note.id:
            self._errors[note.id] = f"{type(failure.value).__name__}: {failure.value}"
