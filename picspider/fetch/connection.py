"""One kept HTTP/1.1 connection: llhttp (httptools) reads the answers, asyncio or uvloop carries the bytes."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import cast

import httptools

from picspider.errors import Failed
from picspider.fetch.client import RawHeaders, Sink

_HEAD_LIMIT_BYTES = 1 << 18


class StaleError(ConnectionError):
    """A kept connection was closed by the server before it answered: the same may be asked on a new one."""


class Connection(asyncio.Protocol):
    """Asks one thing at a time. `idle` is the list of free connections to the same server; it comes back to it."""

    __slots__ = (
        "_complete",
        "_done",
        "_extra",
        "_head_bytes",
        "_headers",
        "_idle",
        "_in_body",
        "_keep",
        "_parser",
        "_sink",
        "_transport",
        "_uses",
        "free_since",
        "peer",
    )

    def __init__(self, peer: str, idle: list[Connection]) -> None:
        self.peer = peer
        self.free_since = 0.0
        self._idle = idle
        self._uses = 0
        self._done: asyncio.Future[None] | None = None
        self._sink: Sink | None = None
        self._transport: asyncio.Transport | None = None
        self._parser = parser = httptools.HttpResponseParser(self)
        # What browsers forgive as well.
        parser.set_dangerous_leniencies(
            lenient_headers=True,
            lenient_chunked_length=True,
            lenient_optional_cr_before_lf=True,
            lenient_optional_lf_after_cr=True,
            lenient_spaces_after_chunk_size=True,
        )

    def ask(self, data: bytes, sink: Sink) -> asyncio.Future[None]:
        """Send a request. The future is done when the answer is complete; whatever *sink* raises, it raises."""
        assert self._transport is not None
        self._headers: RawHeaders = []
        self._head_bytes = 0
        self._in_body = self._complete = self._extra = self._keep = False
        self._uses += 1
        self._sink = sink
        self._done = done = asyncio.get_running_loop().create_future()
        self._transport.write(data)
        return done

    def fail(self, error: Exception) -> None:
        """End the answer with *error* and the connection with it."""
        done, self._done, self._sink = self._done, None, None
        if self._transport is not None:
            self._transport.abort()
        if done is not None and not done.done():
            done.set_exception(error)

    def close(self) -> None:
        """Close a connection that is not needed any more."""
        if self._transport is not None:
            self._transport.close()

    # From the transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Parse what came."""
        if self._done is None:
            self.close()  # nobody asked for anything
            return
        if not self._in_body:
            self._head_bytes += len(data)
            if self._head_bytes > _HEAD_LIMIT_BYTES:
                self.fail(Failed("bad-response", "the headers do not end"))
                return
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            if not self._complete:
                self.fail(Failed("bad-response", f"this is not HTTP: {error}"))
                return
            self._extra = True
        if self._complete:
            self._finish(keep=self._keep and not self._extra)

    def connection_lost(self, exc: Exception | None) -> None:
        """Judge what the end of the connection means for the answer."""
        self._transport = None
        if self in self._idle:
            self._idle.remove(self)
        if self._done is None:
            return
        if self._in_body and self._ends_with_connection():
            self._finish(keep=False)
        elif self._in_body:
            self.fail(Failed("truncated", "the connection was closed in the middle of the body"))
        elif self._head_bytes == 0 and self._uses > 1:
            self.fail(StaleError("the kept connection was closed"))
        else:
            self.fail(exc or ConnectionResetError("the server closed the connection without an answer"))

    # From the parser. Nothing may be raised here: httptools would wrap it.

    def on_message_begin(self) -> None:
        """More than one answer to one question cannot be told apart: such a connection is not kept."""
        if self._complete:
            self._extra = True

    def on_header(self, name: bytes, value: bytes) -> None:
        """Collect."""
        self._headers.append((name, value))

    def on_headers_complete(self) -> None:
        """Hand over the head; heads of interim answers (100, 103) are dropped."""
        status = self._parser.get_status_code()
        if status < 200:
            self._headers = []
            return
        if self._sink is None or self._complete:
            return
        self._in_body = True
        try:
            self._sink.head(status, self._headers, self.peer)
        except Exception as error:  # noqa: BLE001  # it goes to the caller of `ask`
            self.fail(error)

    def on_body(self, body: bytes) -> None:
        """Hand over a piece of the body."""
        if self._sink is None or self._complete:
            return
        try:
            self._sink.data(body)
        except Exception as error:  # noqa: BLE001  # it goes to the caller of `ask`
            self.fail(error)

    def on_message_complete(self) -> None:
        """The body is complete (or an interim answer is)."""
        if self._in_body and not self._complete:
            self._complete = True
            self._keep = self._parser.should_keep_alive()  # says the truth only here

    def _finish(self, *, keep: bool) -> None:
        done, self._done, self._sink = self._done, None, None
        if keep and self._transport is not None and not self._transport.is_closing():
            self.free_since = monotonic()
            self._idle.append(self)
        else:
            self.close()
        if done is not None and not done.done():
            done.set_result(None)

    def _ends_with_connection(self) -> bool:
        # RFC 9112, 6.3: without a length and without chunks the body ends with the connection.
        names = {name.lower() for name, _ in self._headers}
        return b"content-length" not in names and b"transfer-encoding" not in names
