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
from picspider.pictures.formats.header import Header

SIGNATURE = rb"\xff\xd8\xff"

_SEGMENT = struct.Struct(">BBH")
_FRAME = struct.Struct(">xHH")
_FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_HUFFMAN_FRAMES = frozenset({0xC0, 0xC1, 0xC2})
_EXIF, _SCAN, _END = 0xE1, 0xDA, 0xD9
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})
# behind a scan's data comes the first marker that is neither a stuffed FF00 nor a restart
_NEXT_MARKER = re.compile(rb"\xff[^\x00\x01\xd0-\xd7\xff]")
# Each 8x8 block takes a bit at least for its DC coefficient, in a frame that is not progressive one more for the
# others: a file with fewer lacks pixels, which decoders paint grey without a word. Half of that leaves a margin.
_MOST_PIXELS_PER_BYTE = {0xC0: 512, 0xC1: 512, 0xC2: 1024}
# a colour profile may take some hundred
_MOST_SEGMENTS = 20_000


def header(data: bytes) -> Header:
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
    raise AssertionError  # the segments end by an exception only


def finish(data: bytes, head: Header) -> Header:
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
    if (len(data) - scan) * _MOST_PIXELS_PER_BYTE.get(frame, 1 << 16) < head.width * head.height:
        raise Failed(
            "corrupt", f"JPEG with too little in it: {len(data):,} bytes for {head.width}x{head.height} pixels"
        )
    doubt = doubt or (frame in _HUFFMAN_FRAMES and data.find(b"\xff\xc4", 0, scan) < 0)
    return replace(head, turned=turned, doubt=doubt) if doubt or turned != head.turned else head


def _segments(data: bytes, position: int) -> Iterator[tuple[int, int, int]]:
    """(marker, start, end) of each segment's content from *position* on; ends by struct.error or Failed."""
    for _ in range(_MOST_SEGMENTS):
        mark, marker, length = _SEGMENT.unpack_from(data, position)
        if mark == 0xFF and marker in _ALONE:
            position += 2
        elif mark != 0xFF or marker in (0x00, 0xFF):
            # fill bytes and junk, as libjpeg skips them
            position = data.find(b"\xff", position + 1) % (len(data) + 1)
        else:
            yield marker, position + 4, position + 2 + length
            position += 2 + max(length, 2)
    raise Failed("corrupt", "JPEG with thousands of segments before its picture")


def _walk_to_end(data: bytes, position: int) -> None:
    """Go through the scans of the first picture to its end-of-image marker."""
    for _ in range(_MOST_SEGMENTS):
        found = _NEXT_MARKER.search(data, position)
        if not found:
            break
        if data[found.start() + 1] == _END:
            return
        position = found.start() + 2
        if position + 2 <= len(data):
            position += int.from_bytes(data[position : position + 2], "big")
    raise Failed("truncated", f"JPEG ends early: no end-of-image marker in {len(data):,} bytes")
