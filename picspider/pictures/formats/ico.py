"""Windows icons and cursors: the largest picture in the directory, completeness from the offsets."""

from __future__ import annotations

import struct

from picspider.errors import Failed
from picspider.pictures.formats.header import Header

# the fifth field of the first entry is always 0: so that other binary data is not taken for an icon
ICON = rb"\0\0\x01\0[\x01-\xff]\0[\x00-\xff]{3}\0"
CURSOR = rb"\0\0\x02\0[\x01-\xff]\0[\x00-\xff]{3}\0"

_ENTRY = struct.Struct("<BBxxxxxxII")


def header(data: bytes) -> Header:
    """Size of the largest picture; 0 stands for 256."""
    sizes = [(width or 256, height or 256) for width, height, _bytes, _offset in _entries(data)]
    return Header(*max(sizes, key=lambda size: size[0] * size[1]))


def finish(data: bytes, head: Header) -> Header:
    """Compare with the end of the last picture; raises Failed("truncated")."""
    needed = max(offset + length for _width, _height, length, offset in _entries(data))
    if needed > len(data):
        raise Failed("truncated", f"icon ends early: {len(data):,} of {needed:,} bytes")
    return head


def _entries(data: bytes) -> list[tuple[int, int, int, int]]:
    count = data[4]
    if len(data) < 6 + 16 * count:
        raise Failed("truncated", f"icon ends early: inside its directory, after {len(data):,} bytes")
    return [_ENTRY.unpack_from(data, 6 + 16 * number) for number in range(count)]
