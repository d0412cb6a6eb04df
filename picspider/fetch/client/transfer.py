"""One answer as it arrives: limits, content codings and the early stop are applied byte by byte, not afterwards."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from picspider.errors import Failed
from picspider.fetch.client.client import RawHeaders
from picspider.fetch.client.early_stop import HEAD_BYTES, Judge

if TYPE_CHECKING:
    from scrapy import Request

    from picspider.fetch.client.decode import Decoder

_UNPACK_LIMIT_BYTES = 1 << 30
_ERROR_BODY_BYTES = 1 << 16
_GZIP_MAGIC = b"\x1f\x8b"
_WHOLE_RANGE = re.compile(rb"bytes 0-(\d+)/(\d+)")


class Enough(Exception):  # it is no error
    """The rest of the body is not wanted: it belongs to an error or a redirect. Raised to the client, never further."""


class Transfer:
    """The sink of one request. Holds `status`, `headers` (as sent), `known` (by lower-case name) and `peer`."""

    __slots__ = (
        "_chunks",
        "_declared_bytes",
        "_decoders",
        "_is_wanted",
        "_judge",
        "_limit_bytes",
        "_request",
        "_size_bytes",
        "headers",
        "known",
        "peer",
        "status",
    )

    def __init__(self, request: Request, limit_bytes: int, judge: Judge | None) -> None:
        self._request = request
        self._limit_bytes = limit_bytes
        self._judge = judge
        self._size_bytes = 0
        self._declared_bytes: int | None = None
        self._is_wanted = False
        self._chunks: list[bytes] = []
        self._decoders: tuple[Decoder, ...] = ()
        self.status = 0
        self.headers: RawHeaders = []
        self.known: dict[bytes, bytes] = {}
        self.peer: str | None = None

    def head(self, status: int, headers: RawHeaders, peer: str | None) -> None:
        """Judge the head. Raises Failed("too-large", "truncated", "encoding", "bad-response")."""
        self.status, self.headers, self.peer = status, headers, peer
        self.known = known = {name.lower(): value for name, value in headers}
        length = known.get(b"content-length")
        if length is not None:
            self._declared_bytes = int(length) if length.isdigit() else None
        coding = known.get(b"content-encoding")
        self._is_wanted = 200 <= status < 300
        if not self._is_wanted:
            self._judge = None
            if coding:
                with suppress(Failed):
                    self._expect(coding, _ERROR_BODY_BYTES)
            return
        if self._declared_bytes is not None and 0 < self._limit_bytes < self._declared_bytes:
            announced = f"{self._declared_bytes} bytes announced, the limit is {self._limit_bytes}"
            raise Failed("too-large", announced, status=status)
        if status == 206:
            self._check_range()
        if coding and self._has_body():
            self._expect(coding, self._limit_bytes or _UNPACK_LIMIT_BYTES)

    def data(self, chunk: bytes) -> None:
        """Take the next bytes. Raises Failed("too-large", "bomb", "encoding"), Enough, and what the judge raises."""
        self._size_bytes += len(chunk)
        if not self._is_wanted:
            self._take_unwanted(chunk)
            return
        if 0 < self._limit_bytes < self._size_bytes:
            raise Failed("too-large", f"more than {self._limit_bytes} bytes came", status=self.status)
        for decoder in self._decoders:
            chunk = decoder.feed(chunk)
        self._chunks.append(chunk)
        if self._judge is not None and self._size_bytes != self._declared_bytes:
            self._look()

    def body(self) -> bytes:
        """The whole body, content codings undone. Raises Failed("truncated", "encoding", "bomb", "empty")."""
        is_short = self._declared_bytes is not None and self._size_bytes < self._declared_bytes
        if is_short and self._has_body() and not self.is_whole():
            raise Failed("truncated", f"{self._size_bytes} of {self._declared_bytes} bytes came", status=self.status)
        if self._is_wanted:
            rest = b""
            for decoder in self._decoders:
                rest = (decoder.feed(rest) if rest else b"") + decoder.finish()
            self._chunks += [rest] if rest else []
        body = self._chunks[0] if len(self._chunks) == 1 else b"".join(self._chunks)
        if body[:2] == _GZIP_MAGIC and self.status == 200:
            body = self._unzipped(body)
        return body

    def is_whole(self) -> bool:
        """Whether the body is packed and its packing has come to its end; of errors and redirects the head is all."""
        if not self._is_wanted:
            return True
        return bool(self._decoders) and all(decoder.ended for decoder in self._decoders)

    def decoded_headers(self) -> RawHeaders:
        """The headers without those that spoke of the coded body, so that nobody undoes it again."""
        if not self._decoders:
            return self.headers
        return [pair for pair in self.headers if pair[0].lower() not in (b"content-encoding", b"content-length")]

    def _has_body(self) -> bool:
        return self._is_wanted and self.status != 204 and self._request.method != "HEAD"

    def _expect(self, coding: bytes, limit_bytes: int) -> None:
        from picspider.fetch.client.decode import decoders  # noqa: PLC0415  # most sites never need the codecs

        self._decoders = decoders(coding.decode("latin-1"), limit_bytes)

    def _take_unwanted(self, chunk: bytes) -> None:
        """The body of an error or a redirect: a look at its beginning, and no failure of its own."""
        try:
            for decoder in self._decoders:
                chunk = decoder.feed(chunk)
        except Failed as failed:
            raise Enough from failed
        self._chunks.append(chunk)
        if self._size_bytes > _ERROR_BODY_BYTES:
            raise Enough

    def _check_range(self) -> None:
        if b"Range" in self._request.headers:
            return
        whole = _WHOLE_RANGE.fullmatch(self.known.get(b"content-range", b""))
        if whole is None or int(whole[1]) + 1 != int(whole[2]):
            raise Failed("truncated", "the server sent a part (206) that was not asked for", status=206)

    def _look(self) -> None:
        head = self._chunks[0] if len(self._chunks) == 1 else b"".join(self._chunks)
        if len(head) >= HEAD_BYTES and self._judge is not None:
            judge, self._judge = self._judge, None
            judge(self._request, head, None if self._decoders else self._declared_bytes)

    def _unzipped(self, body: bytes) -> bytes:
        # Packed twice, or packed without saying so: no browser shows such a file, but the picture is in there.
        from picspider.fetch.client.decode import Gzip  # noqa: PLC0415  # rare

        unzip = Gzip(self._limit_bytes or _UNPACK_LIMIT_BYTES)
        return unzip.feed(body) + unzip.finish()
