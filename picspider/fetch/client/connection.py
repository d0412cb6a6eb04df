"""One kept HTTP/1.1 connection: llhttp (httptools) reads the answers, asyncio or uvloop carries the bytes."""

from __future__ import annotations

import asyncio
import socket
from time import monotonic
from typing import cast

import httptools

from picspider.errors import Failed
from picspider.fetch.client.client import UNWANTED_BODY_SECONDS, RawHeaders, Sink
from picspider.fetch.client.lenient_head import has_head, mended

_HEAD_LIMIT_BYTES = 1 << 18


class StaleError(ConnectionError):
    """A kept connection ended, or brought what is left of something else: the same may be asked on a new one."""


class Connection(asyncio.Protocol):
    """Asks one thing at a time. `idle` is the list of free connections to the same server; it comes back to it.

    `deadline` is when (`monotonic`) somebody has to call `expire`.
    """

    __slots__ = (
        "_complete",
        "_done",
        "_error",
        "_extra",
        "_head",
        "_headers",
        "_idle",
        "_in_body",
        "_keep",
        "_parser",
        "_sink",
        "_socket",
        "_transport",
        "_unread_bytes",
        "_uses",
        "deadline",
        "free_since",
        "peer",
    )

    def __init__(self, sock: socket.socket, idle: list[Connection]) -> None:
        self.peer = str(sock.getpeername()[0])
        self.free_since = self.deadline = 0.0
        self._socket = sock
        self._idle = idle
        self._uses = 0
        self._done: asyncio.Future[None] | None = None
        self._sink: Sink | None = None
        self._transport: asyncio.Transport | None = None
        self._parser = self._new_parser()

    def is_quiet(self) -> bool:
        """Whether nothing has come since the last answer, not even the end of the connection."""
        try:
            self._socket.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        except OSError:
            pass
        return False

    def ask(self, data: bytes, sink: Sink, deadline: float) -> asyncio.Future[None]:
        """Send a request. The future is done when the answer is complete; whatever *sink* raises, it raises."""
        assert self._transport is not None
        self._headers: RawHeaders = []
        self._head = b""
        self._error: Exception | None = None
        self._in_body = self._complete = self._extra = self._keep = False
        self._unread_bytes: int | None = None
        self._uses += 1
        self._sink = sink
        self.deadline = deadline
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

    def expire(self) -> None:
        """End the answer because its time is over."""
        self._end(TimeoutError("the answer did not end in time"))

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
            self._head = self._head + data if self._head else data
        if self._error is None:
            self._feed(data)
        if self._error is not None and not self._in_body and has_head(self._head):
            self._feed_mended()
        if self._complete:
            self._finish(keep=self._keep and not self._extra)
        elif not self._in_body and len(self._head) > _HEAD_LIMIT_BYTES:
            self.fail(Failed("bad-response", "the headers do not end"))

    def _feed(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self.fail(Failed("bad-response", "the server wants to speak another protocol"))
        except httptools.HttpParserError as error:
            if self._complete:
                self._extra = True
            elif self._in_body:
                self._end(Failed("bad-response", f"this is not HTTP: {error}"))
            else:
                self._error = error

    def _feed_mended(self) -> None:
        """Read a head that the parser refused once more, mended; the connection is not kept afterwards."""
        error, data = self._error, mended(self._head)
        self._error, self._head, self._extra = None, b"", True
        if data is not None:
            self._parser = self._new_parser()
            self._feed(data)
        if data is not None and self._error is None:
            return
        if self._uses > 1:
            self.fail(StaleError("something else came on the kept connection"))
        else:
            self.fail(Failed("bad-response", f"this is not HTTP: {error}"))

    def connection_lost(self, exc: Exception | None) -> None:
        """Judge what the end of the connection means for the answer."""
        self._transport = None
        if self in self._idle:
            self._idle.remove(self)
        if self._done is None:
            return
        if self._in_body and exc is None and self._ends_with_connection():
            self._finish(keep=False)
        elif self._in_body:
            self._end(Failed("truncated", "the connection was closed in the middle of the body"))
        elif self._uses > 1 and (self._error is not None or not self._head):
            self.fail(StaleError("the kept connection was closed"))
        elif self._error is not None:
            self.fail(Failed("bad-response", f"this is not HTTP: {self._error}"))
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
            return
        if status >= 300 and self._sink.is_whole():
            self.deadline = min(self.deadline, monotonic() + UNWANTED_BODY_SECONDS)
        self._unread_bytes = _length_beside_identity(self._headers)
        self._complete = self._unread_bytes == 0

    def on_body(self, body: bytes) -> None:
        """Hand over a piece of the body."""
        if self._sink is None or self._complete:
            return
        if self._unread_bytes is not None:
            body = body[: self._unread_bytes]
            self._unread_bytes -= len(body)
            self._complete = self._unread_bytes == 0
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
        self._head = b""
        if keep and self._transport is not None and not self._transport.is_closing():
            self.free_since = monotonic()
            self._idle.append(self)
        else:
            self.close()
        if done is not None and not done.done():
            done.set_result(None)

    def _end(self, error: Exception) -> None:
        """End the answer in the middle: well when what has come is enough, else with *error*.

        Packed bodies show their own end, and servers like to state the length of what is inside.
        """
        if self._in_body and self._sink is not None and self._sink.is_whole():
            self._finish(keep=False)
        else:
            self.fail(error)

    def _ends_with_connection(self) -> bool:
        """Whether the body is one without a length and without chunks (RFC 9112, 6.3)."""
        names = {name.lower(): value for name, value in self._headers}
        codings = names.get(b"transfer-encoding", b"").lower()
        return not codings.rstrip().endswith(b"chunked") and (bool(codings) or b"content-length" not in names)

    def _new_parser(self) -> httptools.HttpResponseParser:
        parser = httptools.HttpResponseParser(self)
        # What browsers forgive as well.
        parser.set_dangerous_leniencies(
            lenient_headers=True,
            lenient_chunked_length=True,
            lenient_optional_cr_before_lf=True,
            lenient_optional_lf_after_cr=True,
            lenient_spaces_after_chunk_size=True,
        )
        return parser


def _length_beside_identity(headers: RawHeaders) -> int | None:
    """The Content-Length that the parser does not heed because of a coding that is none (RFC 2616, 3.6: identity)."""
    # Every answer comes through here: the lengths of names are compared first.
    codings = [
        value.strip().lower() for name, value in headers if len(name) == 17 and name.lower() == b"transfer-encoding"
    ]
    if codings != [b"identity"]:
        return None
    lengths = [value for name, value in headers if name.lower() == b"content-length"]
    return int(lengths[0]) if lengths and lengths[0].isdigit() else None
