"""AVIF and HEIF (ISO 23008-12 over ISO 14496-12): size of the primary item, completeness from the boxes' lengths."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import replace

from picspider.errors import Failed
from picspider.pictures.formats.header import Header

# the brand "mif1" says only "still picture": the codec stands among the compatible brands behind it
AVIF = rb"[\x00-\xff]{4}ftyp(?:avi[fs]|(?:mif1|msf1|miaf)[\x00-\xff]{4}(?:[ -~]{4}){0,8}?avi[fs])"
HEIF = rb"[\x00-\xff]{4}ftyp(?:hei[cxmsf]|hev[cxms]|mif1|msf1)"

_MOST_BOXES = 10_000
_MOST_ITEMS = 65_535

Box = tuple[bytes, int, int]


def header(data: bytes) -> Header:
    """Size and turn of the primary item. Past the end: IndexError or struct.error."""
    meta = _find(_boxes(data, 0, len(data)), b"meta")
    if meta is None:
        # a sequence without a still picture: the decoder must find the size in its track
        return Header(0, 0, doubt=True, animated=True)
    inside = list(_boxes(data, meta[1] + 4, meta[2]))
    properties = _find(inside, b"iprp")
    if properties is None:
        raise Failed("corrupt", "AVIF or HEIF without properties")
    width, height, turned = _primary(data, inside, list(_boxes(data, properties[1], properties[2])))
    if not width or not height:
        raise Failed("corrupt", "AVIF or HEIF without a size")
    return Header(width, height, turned, animated=data[8:12] in (b"avis", b"msf1", b"hevc"))


def finish(data: bytes, head: Header) -> Header:
    """Walk the outer boxes; raises Failed("truncated") when one is longer than the file or the pixels are missing."""
    pixels, open_end = False, False
    for kind, start, _end in _boxes(data, 0, len(data)):
        pixels = pixels or kind == b"mdat"
        open_end = open_end or data[start - 8 : start - 4] == b"\0\0\0\0"
    if not pixels:
        meta = _find(_boxes(data, 0, len(data)), b"meta")
        if meta is None or _find(_boxes(data, meta[1] + 4, meta[2]), b"idat") is None:
            raise Failed("truncated", f"AVIF or HEIF ends early: no picture data in {len(data):,} bytes")
    return replace(head, doubt=True) if open_end else head


def _boxes(data: bytes, position: int, end: int) -> Iterator[Box]:
    """(kind, start, end) of each box's content; IndexError when a box is longer than what is there."""
    number = 0
    while position + 8 <= end:
        number += 1
        length, kind = struct.unpack_from(">I4s", data, position)
        start = position + 8
        if length == 1:
            (length,) = struct.unpack_from(">Q", data, start)
            start += 8
        elif length == 0 and kind == b"mdat":
            length = end - position  # to the end of the file
        position += length
        if position > end:
            raise IndexError(position)
        if length < 8 or number > _MOST_BOXES:
            raise Failed("corrupt", "AVIF or HEIF with empty or too many boxes")
        yield kind, start, position


def _find(boxes: Iterator[Box] | list[Box], kind: bytes) -> Box | None:
    return next((box for box in boxes if box[0] == kind), None)


def _primary(data: bytes, inside: list[Box], properties: list[Box]) -> tuple[int, int, bool]:
    """Width, height, turned of the primary item, by the properties that ipma gives it."""
    container = _find(properties, b"ipco")
    if container is None:
        raise Failed("corrupt", "AVIF or HEIF without properties")
    values = list(_boxes(data, container[1], container[2]))
    primary = _find(inside, b"pitm")
    own = _associated(data, properties, _item_number(data, primary[1])) if primary else []
    width = height = 0
    turned = False
    for kind, start, _end in [values[index - 1] for index in own if 0 < index <= len(values)] or values:
        if kind == b"ispe":
            width, height = struct.unpack_from(">4xII", data, start)
        elif kind == b"clap":
            width, height = _cropped(struct.unpack_from(">4I", data, start), width, height)
        elif kind == b"irot":
            turned = bool(data[start] & 1)
    return width, height, turned


def _cropped(aperture: tuple[int, ...], width: int, height: int) -> tuple[int, int]:
    """What is shown of the coded size (clean aperture): encoders fill pictures up to whole blocks."""
    width_over, width_under, height_over, height_under = aperture
    if not width_under or not height_under:
        return width, height
    shown = width_over // width_under, height_over // height_under
    return shown if 0 < shown[0] <= width and 0 < shown[1] <= height else (width, height)


def _item_number(data: bytes, start: int) -> int:
    number: int = struct.unpack_from(">4xI" if data[start] else ">4xH", data, start)[0]
    return number


def _associated(data: bytes, properties: list[Box], item: int) -> list[int]:
    """The 1-based indices of the properties of *item*."""
    table = _find(properties, b"ipma")
    if table is None:
        return []
    position = table[1] + 8
    version, wide = data[table[1]], data[table[1] + 3] & 1
    count = min(struct.unpack_from(">4xI", data, table[1])[0], _MOST_ITEMS)
    while count and position < table[2]:
        number, amount = struct.unpack_from(">IB" if version else ">HB", data, position)
        position += 5 if version else 3
        if number == item:
            layout = f">{amount}{'H' if wide else 'B'}"
            return [index & (0x7FFF if wide else 0x7F) for index in struct.unpack_from(layout, data, position)]
        position += amount * (2 if wide else 1)
        count -= 1
    return []
