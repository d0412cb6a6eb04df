"""GIF (87a and 89a): size from the screen descriptor, completeness from the trailer behind the last block."""

from __future__ import annotations

import re
import struct
from dataclasses import replace

from picspider.errors import Failed
from picspider.pictures.formats.header import Header

SIGNATURE = rb"GIF8[79]a"

_SCREEN = struct.Struct("<6xHH")
_FRAME_SIZE = struct.Struct("<5xHH")
_NOT_PADDING = re.compile(rb"[^\0]")
_MOST_BLOCKS = 1_000_000
_FRAME, _EXTENSION, _TRAILER, _PADDING = 0x2C, 0x21, 0x3B, 0x00


def header(data: bytes) -> Header:
    """Size of the screen, or of the first frame when the screen has none (as browsers do)."""
    width, height = _SCREEN.unpack_from(data)
    position = 13 + _colour_table_bytes(data[10])
    if width and height:
        return Header(width, height, position=position)
    while data[position] != _FRAME:
        if data[position] != _EXTENSION:
            raise Failed("corrupt", "GIF without a size")
        position = _behind_blocks(data, position + 2)
    width, height = _FRAME_SIZE.unpack_from(data, position)
    if not width or not height:
        raise Failed("corrupt", "GIF without a size")
    return Header(width, height, position=position)


def finish(data: bytes, head: Header) -> Header:
    """Walk the blocks to the trailer (IndexError past the end) and count the frames."""
    position, frames, doubt = head.position, 0, False
    for _ in range(_MOST_BLOCKS):
        block = data[position]
        if block == _FRAME:
            frames += 1
            position = _behind_blocks(data, position + 11 + _colour_table_bytes(data[position + 9]))
        elif block == _EXTENSION:
            position = _behind_blocks(data, position + 2)
        elif block == _PADDING:
            position = _behind_padding(data, position)
        else:
            doubt = block != _TRAILER
            break
    else:
        doubt = True
    if not frames:
        raise Failed("corrupt", "GIF without a frame")
    return replace(head, animated=frames > 1, doubt=doubt) if frames > 1 or doubt else head


def _colour_table_bytes(flags: int) -> int:
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _behind_padding(data: bytes, position: int) -> int:
    found = _NOT_PADDING.search(data, position)
    return found.start() if found else len(data)


def _behind_blocks(data: bytes, position: int) -> int:
    """The position behind the chain of sub-blocks that begins at *position*."""
    while length := data[position]:
        position += length + 1
    return position + 1
