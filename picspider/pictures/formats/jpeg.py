"""JPEG (ITU T.81): size from the frame header, completeness from the end-of-image marker.

Files with more pictures behind the first (MPO, motion photos) and with trailing bytes are JPEGs too.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import replace

from picspider.errors import Failed
from picspider.pictures.formats.exif import is_turned
from picspider.pictures.formats.header import Data, Header

SIGNATURE = rb"\xff\xd8\xff"

_SEGMENT = struct.Struct(">BBH")
_FRAME = struct.Struct(">xHH")
_FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_HUFFMAN_FRAMES = frozenset({0xC0, 0xC1, 0xC2})
_EXIF, _SCAN, _END = 0xE1, 0xDA, 0xD9
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})
# behind a scan's data comes the first marker that is neither a stuffed FF00 nor a restart
_NEXT_MARKER = re.compile(rb"\xff[^\x00\x01\xd0-\xd7\xff]")
# Each 8x8 block of a Huffman-coded frame takes two bits at least: one for its DC, one for its AC coefficients.
# In a progressive one only the DC bit is sure.
_MOST_PIXELS_PER_BYTE = {0xC0: 256, 0xC1: 256, 0xC2: 512}


def header(data: Data) -> Header:
    """Size and turn, read up to the frame header. Past the end: struct.error or IndexError."""
    turned = odd = False
    expected = 2
    for marker, start, end in _segments(data, 2):
        odd, expected = odd or start - 4 != expected, end
        if marker in _FRAME_MARKERS:
            height, width = _FRAME.unpack_from(data, start)
            # a height of 0 is told behind the first scan (DNL), where only the decoder looks
            return Header(width, height, turned, position=start - 4, doubt=odd or not height or not width)
        if marker == _EXIF and data[start : start + 6] == b"Exif\0\0":
            turned = is_turned(data[start + 6 : end])
        elif marker in (_SCAN, _END):
            raise Failed("corrupt", "JPEG without a frame header")
    raise AssertionError  # the segments end by struct.error only


def finish(data: Data, head: Header) -> Header:
    """Check that the picture is whole; raises Failed("truncated")."""
    frame = data[head.position + 1]
    turned, doubt, scan, expected = head.turned, head.doubt, 0, head.position
    for marker, start, end in _segments(data, head.position):
        doubt, expected = doubt or start - 4 != expected, end
        if marker == _SCAN:
            scan = end
            break
        if marker == _EXIF and data[start : start + 6] == b"Exif\0\0":
            turned = is_turned(data[start + 6 : end])
        elif marker == _END:
            raise Failed("corrupt", "JPEG without picture data")
    if data[-2:] != b"\xff\xd9" or len(data) - 2 < scan:
        _walk_to_end(data, scan)
    few = (len(data) - scan) * _MOST_PIXELS_PER_BYTE.get(frame, 1 << 16) < head.width * head.height
    no_tables = frame in _HUFFMAN_FRAMES and data.find(b"\xff\xc4", 0, scan) < 0
    if turned == head.turned and not (few or no_tables or doubt):
        return head
    return replace(head, turned=turned, doubt=few or no_tables or doubt)


def _segments(data: Data, position: int) -> Iterator[tuple[int, int, int]]:
    """(marker, start, end) of each segment's content from *position* on; ends by struct.error."""
    while True:
        mark, marker, length = _SEGMENT.unpack_from(data, position)
        if mark != 0xFF or marker in (0x00, 0xFF) or marker in _ALONE:
            position += 2 if mark == 0xFF and marker in _ALONE else 1  # fill bytes and junk, as libjpeg skips them
            continue
        yield marker, position + 4, position + 2 + length
        position += 2 + max(length, 2)


def _walk_to_end(data: Data, position: int) -> None:
    """Go through the scans of the first picture to its end-of-image marker."""
    while found := _NEXT_MARKER.search(data, position):
        if data[found.start() + 1] == _END:
            return
        position = found.start() + 2
        if position + 2 <= len(data):
            position += int.from_bytes(data[position : position + 2], "big")
    raise Failed("truncated", f"JPEG ends early: no end-of-image marker in {len(data):,} bytes")
