"""The orientation noted in EXIF (CIPA DC-008, tag 274 of IFD0)."""

from __future__ import annotations

import struct

ORIENTATION = 0x0112
_ENTRY = {b"II": struct.Struct("<HHIHxx"), b"MM": struct.Struct(">HHIHxx")}
_COUNT = {b"II": struct.Struct("<H"), b"MM": struct.Struct(">H")}
_OFFSET = {b"II": struct.Struct("<4xI"), b"MM": struct.Struct(">4xI")}


def is_turned(tiff: bytes) -> bool:
    """Whether the EXIF block *tiff* (from its byte order mark on) says that width and height change places.

    A damaged block says nothing.
    """
    order = tiff[:2]
    if order not in _ENTRY:
        return False
    try:
        (offset,) = _OFFSET[order].unpack_from(tiff)
        (count,) = _COUNT[order].unpack_from(tiff, offset)
    except struct.error:
        return False
    entry = _ENTRY[order]
    entries = tiff[offset + 2 : offset + 2 + 12 * count]
    for tag, _kind, _values, value in entry.iter_unpack(entries[: len(entries) // 12 * 12]):
        if tag == ORIENTATION:
            return value in (5, 6, 7, 8)
    return False
