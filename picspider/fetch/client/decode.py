"""Content-Encoding undone by us, with a limit, so that a small answer cannot fill the memory (RFC 9110, 8.4)."""

from __future__ import annotations

import re
import sys
import zlib
from collections.abc import Callable
from typing import Any, Protocol

import brotli  # type: ignore[import-untyped]  # has no stubs

from picspider.errors import Failed

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

GZIP_MAGIC = b"\x1f\x8b"
_STEP_BYTES = 1 << 16
# Pictures as they are, markup, JSON, and plain text: no packed data begins so for that long.
_NOT_PACKED = re.compile(
    rb"\xff\xd8\xff|\x89PNG|GIF8|RIFF|BM|II[*+]\0|MM\0[*+]|[\0-\xff]{4}ftyp|\xff\x0a|\0\0\0\x0cJXL|\0\0[\1\2]\0"
    rb"|(?:\xef\xbb\xbf)?\s*[<{\[]|[\t\r\n -~]{16}"
)
_ENOUGH_TO_TELL_BYTES = 16


class Decoder(Protocol):
    """Undoes one content coding; raises Failed("bomb") or Failed("encoding")."""

    def feed(self, data: bytes) -> bytes:
        """The decoded bytes that *data* yields."""
        ...

    def finish(self) -> bytes:
        """What is left when the data has ended; raises Failed("encoding") if it ended too early."""
        ...

    @property
    def ended(self) -> bool:
        """Whether the data itself said that it is complete."""
        ...


class _Limited:
    """Counts what comes out of a decompressor, step by step, and stops it at the limit (0: none)."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit_bytes = limit_bytes
        self._size_bytes = 0

    def _count(self, data: bytes) -> bytes:
        self._size_bytes += len(data)
        if 0 < self._limit_bytes < self._size_bytes:
            raise Failed("bomb", f"it unpacks to more than {self._limit_bytes} bytes")
        return data


class Gzip(_Limited):
    """gzip, any number of members; zlib, or raw deflate as old servers send it, under the name deflate."""

    def __init__(self, limit_bytes: int, *, deflate: bool = False) -> None:
        super().__init__(limit_bytes)
        self._deflate = deflate
        self._stream: Any = None
        self.ended = False

    def feed(self, data: bytes) -> bytes:
        """The decoded bytes; bytes after the end that are not another member are dropped, as browsers do."""
        out = []
        while data:
            if self._stream is None or (self.ended and data[:2] == GZIP_MAGIC):
                self._stream, self.ended = zlib.decompressobj(self._window(data)), False
            elif self.ended:
                break
            try:
                out.append(self._count(self._stream.decompress(data, _STEP_BYTES)))
            except zlib.error as error:
                raise Failed("encoding", f"the compressed answer is damaged: {error}") from error
            self.ended = self._stream.eof
            data = self._stream.unused_data if self.ended else self._stream.unconsumed_tail
        return b"".join(out)

    def finish(self) -> bytes:
        """Raises Failed("encoding") unless the last member was whole."""
        if self._stream is not None and not self.ended:
            raise Failed("encoding", "the compressed answer ends too early")
        return b""

    def _window(self, data: bytes) -> int:
        if not self._deflate:
            return 16 + zlib.MAX_WBITS
        is_zlib = data[0] & 0x0F == 8 and (len(data) < 2 or (data[0] << 8 | data[1]) % 31 == 0)
        return zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS


class Brotli(_Limited):
    """br (RFC 7932)."""

    def __init__(self, limit_bytes: int) -> None:
        super().__init__(limit_bytes)
        self._stream = brotli.Decompressor()

    def feed(self, data: bytes) -> bytes:
        """The decoded bytes."""
        try:
            out = [self._count(self._stream.process(data, output_buffer_limit=_STEP_BYTES))]
            while not self._stream.can_accept_more_data():
                out.append(self._count(self._stream.process(b"", output_buffer_limit=_STEP_BYTES)))
        except brotli.error as error:
            raise Failed("encoding", f"the compressed answer is damaged: {error}") from error
        return b"".join(out)

    @property
    def ended(self) -> bool:
        """See `Decoder`."""
        return bool(self._stream.is_finished())

    def finish(self) -> bytes:
        """Raises Failed("encoding") unless the stream was whole."""
        if not self.ended:
            raise Failed("encoding", "the compressed answer ends too early")
        return b""


class Zstd(_Limited):
    """zstd (RFC 8878), any number of frames."""

    def __init__(self, limit_bytes: int) -> None:
        super().__init__(limit_bytes)
        self._stream = zstd.ZstdDecompressor()

    def feed(self, data: bytes) -> bytes:
        """The decoded bytes."""
        out = []
        try:
            while data or not (self._stream.needs_input or self._stream.eof):
                if self._stream.eof:
                    self._stream = zstd.ZstdDecompressor()
                out.append(self._count(self._stream.decompress(data, _STEP_BYTES)))
                data = self._stream.unused_data if self._stream.eof else b""
        except zstd.ZstdError as error:
            raise Failed("encoding", f"the compressed answer is damaged: {error}") from error
        return b"".join(out)

    @property
    def ended(self) -> bool:
        """See `Decoder`."""
        return bool(self._stream.eof)

    def finish(self) -> bytes:
        """Raises Failed("encoding") unless the last frame was whole."""
        if not self.ended:
            raise Failed("encoding", "the compressed answer ends too early")
        return b""


class Unknown:
    """A coding that was not asked for."""

    ended = False

    def __init__(self, name: str) -> None:
        self._name = name

    def feed(self, _: bytes) -> bytes:
        """Raises Failed("encoding")."""
        raise Failed("encoding", f"the answer is coded as {self._name}, which was not asked for")

    def finish(self) -> bytes:
        """Nothing."""
        return b""


class OrPlain:
    """A decoder that lets pass what was never packed: servers announce a coding and send the picture as it is."""

    def __init__(self, decoder: Decoder) -> None:
        self._decoder = decoder
        self._held = b""  # what came before anything was decoded
        self._begun = self._plain = False

    @property
    def ended(self) -> bool:
        """See `Decoder`."""
        return self._decoder.ended

    def feed(self, data: bytes) -> bytes:
        """The decoded bytes, or those of *data* itself."""
        if self._plain:
            return data
        if self._begun:
            return self._decoder.feed(data)
        held, self._held = self._held, self._held + data
        if len(self._held) < _ENOUGH_TO_TELL_BYTES:
            return b""
        return self._first(self._held if len(held) < _ENOUGH_TO_TELL_BYTES else data)

    def finish(self) -> bytes:
        """What was too short to be decoded before."""
        if self._plain:
            return b""
        rest = self._first(self._held) if 0 < len(self._held) < _ENOUGH_TO_TELL_BYTES else b""
        return rest if self._plain else rest + self._decoder.finish()

    def _first(self, data: bytes) -> bytes:
        try:
            out = self._decoder.feed(data)
        except Failed as failed:
            if failed.reason != "encoding" or not _NOT_PACKED.match(self._held):
                raise
            self._plain = True
            return self._held
        if out:
            self._begun, self._held = True, b""
        return out


def _deflate(limit_bytes: int) -> Decoder:
    return Gzip(limit_bytes, deflate=True)


DECODERS: dict[str, Callable[[int], Decoder]] = {
    "gzip": Gzip,
    "x-gzip": Gzip,
    "deflate": _deflate,
    "br": Brotli,
    "zstd": Zstd,
}
_MOST_CODINGS = 3


def decoders(content_encoding: str, limit_bytes: int) -> tuple[Decoder, ...]:
    """The decoders to apply in turn for a Content-Encoding header, each limited to *limit_bytes* of output.

    What is not packed at all passes, whatever the header says.
    """
    names = [name for part in content_encoding.lower().split(",") if (name := part.strip()) not in ("", "identity")]
    unknown = [name for name in names if name not in DECODERS]
    if unknown or len(names) > _MOST_CODINGS:
        return (OrPlain(Unknown(content_encoding)),)
    return tuple(OrPlain(DECODERS[name](limit_bytes)) for name in reversed(names))
