"""WebP (RFC 9649): size from the first chunk, completeness from the RIFF length."""

from __future__ import annotations

import struct
from dataclasses import replace

from picspider.errors import Failed
from picspider.pictures.formats.exif import is_turned
from picspider.pictures.formats.header import Header

SIGNATURE = rb"RIFF[\x00-\xff]{4}WEBPVP8[ LX]"

_CHUNK = struct.Struct("<4sI")
_LOSSY = struct.Struct("<23x3sHH")
_LOSSLESS = struct.Struct("<20xBI")
_EXTENDED = struct.Struct("<20xBxxxHBHB")
_HAS_EXIF, _IS_ANIMATED = 0x08, 0x02
_MOST_CHUNKS = 200_000
_PIXELS = frozenset({b"VP8 ", b"VP8L", b"ANMF"})


def header(data: bytes) -> Header:
    """Size of the canvas. An EXIF chunk at the end may turn it when the flags announce one."""
    if data[12:16] == b"VP8 ":
        start_code, width, height = _LOSSY.unpack_from(data)
        head = Header(width & 0x3FFF, height & 0x3FFF)
        valid = start_code == b"\x9d\x01\x2a"
    elif data[12:16] == b"VP8L":
        mark, bits = _LOSSLESS.unpack_from(data)
        head = Header((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        valid = mark == 0x2F
    else:
        flags, width, width_high, height, height_high = _EXTENDED.unpack_from(data)
        size = (width | width_high << 16) + 1, (height | height_high << 16) + 1
        head = Header(*size, settled=not flags & _HAS_EXIF, animated=bool(flags & _IS_ANIMATED))
        valid = True
    if not valid or not head.width or not head.height:
        raise Failed("corrupt", "WebP without a valid header")
    return head


def finish(data: bytes, head: Header) -> Header:
    """Walk the chunks; raises Failed("truncated") or Failed("corrupt")."""
    end = 8 + int.from_bytes(data[4:8], "little")
    if end > len(data):
        raise Failed("truncated", f"WebP ends early: {len(data):,} of {end:,} bytes")
    position, chunks, pixels, turned = 12, 0, False, False
    while position + 8 <= end:
        kind, length = _CHUNK.unpack_from(data, position)
        if position + 8 + length > end:
            raise Failed("corrupt", "WebP with a chunk longer than the file")
        if kind in _PIXELS:
            pixels = True
        elif kind == b"EXIF":
            turned = is_turned(data[position + 8 : position + 8 + length].removeprefix(b"Exif\0\0"))
        position += 8 + length + (length & 1)
        chunks += 1
        if chunks > _MOST_CHUNKS:
            raise Failed("corrupt", "WebP with hundreds of thousands of chunks")
    if not pixels:
        raise Failed("corrupt", "WebP without picture data")
    return replace(head, turned=turned) if turned else head
