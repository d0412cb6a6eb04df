"""JPEG XL (ISO 18181-1, naked or in its container): size from the codestream's first bits."""

from __future__ import annotations

import struct

from picspider.errors import Failed
from picspider.pictures.formats.header import Header

SIGNATURE = rb"\xff\x0a|\0\0\0\x0cJXL \r\n\x87\n"

_RATIOS = ((1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1))
_MOST_BOXES = 10_000
_LENGTH_BITS = (9, 13, 18, 30)


class _Bits:
    """Little-endian bit reader over the first bytes; IndexError past the end."""

    def __init__(self, data: bytes) -> None:
        self._value = int.from_bytes(data, "little")
        self._left = 8 * len(data)

    def take(self, count: int) -> int:
        if count > self._left:
            raise IndexError(count)
        taken = self._value & ((1 << count) - 1)
        self._value >>= count
        self._left -= count
        return taken


def header(data: bytes) -> Header:
    """Size and turn. Past the end: IndexError or struct.error."""
    bits = _Bits(_codestream(data))
    small = bits.take(1)
    height = _length(bits, small)
    ratio = bits.take(3)
    if ratio:
        numerator, denominator = _RATIOS[ratio - 1]
        width = height * numerator // denominator
    else:
        width = _length(bits, small)
    all_default = bits.take(1)
    orientation = 1 + bits.take(3) if not all_default and bits.take(1) else 1
    return Header(width, height, turned=orientation > 4, doubt=True)


def finish(data: bytes, head: Header) -> Header:  # noqa: ARG001 - the interface of all formats
    """Nothing marks the end of a codestream: only decoding tells whether it is whole."""
    return head


def _length(bits: _Bits, small: int) -> int:
    return (bits.take(5) + 1) * 8 if small else bits.take(_LENGTH_BITS[bits.take(2)]) + 1


def _codestream(data: bytes) -> bytes:
    """The first bytes behind the codestream's signature."""
    if data[:2] == b"\xff\x0a":
        return data[2:18]
    position = 12
    for _ in range(_MOST_BOXES):
        length, kind = struct.unpack_from(">I4s", data, position)
        start = position + 8
        if length == 1:
            (length,) = struct.unpack_from(">Q", data, start)
            start += 8
        if kind in (b"jxlc", b"jxlp"):
            start += 4 if kind == b"jxlp" else 0
            return data[start + 2 : start + 18]
        if length < 8:
            break
        position += length
    raise Failed("corrupt", "JPEG XL container without a codestream")
