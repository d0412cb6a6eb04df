"""PNG and APNG (W3C PNG, third edition): size from IHDR, completeness from IEND, damage from the checksums."""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace

from picspider.errors import Failed
from picspider.pictures.formats.exif import is_turned
from picspider.pictures.formats.header import Header

SIGNATURE = rb"\x89PNG\r\n\x1a\n"

_HEADER = struct.Struct(">8xI4sII")
_CHUNK = struct.Struct(">I4s")
_CHECKSUM = struct.Struct(">I")
_ANCILLARY = 0x20
# zlib makes a byte of at most this many (RFC 1951: 258 bytes take two bits)
_MOST_UNPACKED = 1032
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # by colour type
_MOST_CHUNKS = 1_000_000


def header(data: bytes) -> Header:
    """Size from IHDR. An eXIf chunk further on may turn it."""
    _length, kind, width, height = _HEADER.unpack_from(data)
    if kind == b"CgBI":
        raise Failed("unsupported", "PNG in the private form of Apple's development tools")
    if kind != b"IHDR" or not 0 < width < 1 << 31 or not 0 < height < 1 << 31:
        raise Failed("corrupt", "PNG without a valid header")
    return Header(width, height, settled=False, position=8)


def finish(data: bytes, head: Header) -> Header:
    """Walk the chunks to IEND; raises Failed("truncated") or Failed("corrupt")."""
    turned = animated = False
    packed = 0
    position, size = head.position, len(data)
    with memoryview(data) as view:
        for _ in range(_MOST_CHUNKS):
            length, kind = _CHUNK.unpack_from(data, position)
            end = position + 12 + length
            if end > size:
                raise Failed("truncated", f"PNG ends early: inside its chunk {_name(kind)}, after {size:,} bytes")
            if not kind[0] & _ANCILLARY:
                with view[position + 4 : end - 4] as covered:
                    checksum = zlib.crc32(covered)
                if checksum != _CHECKSUM.unpack_from(data, end - 4)[0]:
                    raise Failed("corrupt", f"PNG with a wrong checksum in its chunk {_name(kind)}")
            if kind == b"IDAT":
                packed += length
            elif kind == b"acTL":
                animated = True
            elif kind == b"eXIf":
                turned = is_turned(data[position + 8 : end - 4])
            elif kind == b"IEND":
                break
            position = end
        else:
            raise Failed("corrupt", "PNG with a million chunks and no end")
    if packed * _MOST_UNPACKED < _row_bytes(data, head.width) * head.height:
        raise Failed("corrupt", f"PNG with too little in it: {packed:,} bytes for {head.width}x{head.height} pixels")
    return replace(head, turned=turned, animated=animated)


def _row_bytes(data: bytes, width: int) -> int:
    depth, colour = data[24], data[25]
    return 1 + width * depth * _CHANNELS.get(colour, 1) // 8


def _name(kind: bytes) -> str:
    return kind.decode("ascii") if kind.isalpha() else kind.hex(" ")
