"""TIFF 6.0 and the raw formats built on it: the main picture's size, completeness from the offsets of its strips."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from picspider.errors import Failed
from picspider.pictures.formats.exif import ORIENTATION
from picspider.pictures.formats.header import Header

SIGNATURE = rb"II\*\0|MM\0\*"

_WIDTH, _HEIGHT, _SUBFILE, _SUBDIRECTORIES = 256, 257, 254, 330
_OFFSETS_AND_COUNTS = ((273, 279), (324, 325), (513, 514))
_TYPES = {1: "B", 3: "H", 4: "I", 13: "I"}
_MOST_DIRECTORIES = 64
_MOST_ENTRIES = 4096

Directory = dict[int, tuple[int, ...]]


def header(data: bytes) -> Header:
    """Size of the first picture that is not a reduced copy."""
    directories = list(_directories(data))
    whole = [each for each in directories if not each.get(_SUBFILE, (0,))[0] & 1 and each.get(_WIDTH)]
    main = (whole or directories or [{}])[0]
    width, height = main.get(_WIDTH, (0,))[0], main.get(_HEIGHT, (0,))[0]
    if not width or not height:
        raise Failed("corrupt", "TIFF without a size")
    orientation = main.get(ORIENTATION) or directories[0].get(ORIENTATION) or (1,)
    return Header(width, height, turned=5 <= orientation[0] <= 8, animated=False)


def finish(data: bytes, head: Header) -> Header:
    """Compare with the end of the last strip; raises Failed("truncated") or Failed("corrupt")."""
    ends = [
        offset + count
        for directory in _directories(data)
        for offsets, counts in _OFFSETS_AND_COUNTS
        # a single strip may go without its count
        for offset, count in zip(directory.get(offsets, ()), directory.get(counts, (1,)), strict=False)
    ]
    if not ends:
        raise Failed("corrupt", "TIFF without picture data")
    if max(ends) > len(data):
        raise Failed("truncated", f"TIFF ends early: {len(data):,} of {max(ends):,} bytes")
    return head


def _directories(data: bytes) -> Iterator[Directory]:
    """The directories along the chain, each followed by those below it. Past the end: struct.error."""
    order = "<" if data[:1] == b"I" else ">"
    waiting, seen = [struct.unpack_from(order + "I", data, 4)[0]], set[int]()
    while waiting and len(seen) < _MOST_DIRECTORIES:
        offset = waiting.pop(0)
        if not offset or offset in seen:
            continue
        seen.add(offset)
        (count,) = struct.unpack_from(order + "H", data, offset)
        if count > _MOST_ENTRIES:
            raise Failed("corrupt", "TIFF with thousands of entries in a directory")
        directory = _directory(data, order, offset + 2, count)
        yield directory
        (following,) = struct.unpack_from(order + "I", data, offset + 2 + 12 * count)
        waiting = [*directory.get(_SUBDIRECTORIES, ())[:_MOST_DIRECTORIES], following, *waiting]


def _directory(data: bytes, order: str, start: int, count: int) -> Directory:
    wanted = {_WIDTH, _HEIGHT, _SUBFILE, _SUBDIRECTORIES, ORIENTATION, *sum(_OFFSETS_AND_COUNTS, ())}
    directory: Directory = {}
    for position in range(start, start + 12 * count, 12):
        tag, kind, values = struct.unpack_from(order + "HHI", data, position)
        if tag not in wanted or kind not in _TYPES or not values:
            continue
        layout = f"{order}{values}{_TYPES[kind]}"
        inline = struct.calcsize(layout) <= 4
        place = position + 8 if inline else struct.unpack_from(order + "I", data, position + 8)[0]
        directory[tag] = struct.unpack_from(layout, data, place)
    return directory
