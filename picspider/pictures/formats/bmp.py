"""BMP (Windows and OS/2 headers): size from the header, completeness from rows times height."""

from __future__ import annotations

import struct

from picspider.errors import Failed
from picspider.pictures.formats.header import Header

# the four reserved bytes are 0 in practice, and the header's length has few values: "BM" alone would catch texts
SIGNATURE = rb"BM[\x00-\xff]{8}[\x00-\xff]{4}[\x0c\x10\x28\x34\x38\x40\x6c\x7c]\0\0\0"

_START = struct.Struct("<2xI4xII")
_OLD = struct.Struct("<18xHHHH")
_NEW = struct.Struct("<18xiiHHI")
_UNCOMPRESSED = frozenset({0, 3, 6})


def header(data: bytes) -> Header:
    """Size in pixels; a negative height means rows from the top."""
    _declared, _pixels, length = _START.unpack_from(data)
    width, height = (_OLD if length == 12 else _NEW).unpack_from(data)[:2]
    if width <= 0 or not height:
        raise Failed("corrupt", "BMP without a valid size")
    return Header(width, abs(height))


def finish(data: bytes, head: Header) -> Header:
    """Compare with the bytes that the pixels take; raises Failed("truncated")."""
    declared, pixels, length = _START.unpack_from(data)
    if length == 12:
        bits, compression = _OLD.unpack_from(data)[3], 0
    else:
        bits, compression = _NEW.unpack_from(data)[3:]
    # the declared size is often wrong, what the rows take is not
    needed = pixels + (head.width * bits + 31) // 32 * 4 * head.height if compression in _UNCOMPRESSED else declared
    if needed > len(data):
        raise Failed("truncated", f"BMP ends early: {len(data):,} of {needed:,} bytes")
    return head
