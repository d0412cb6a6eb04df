"""SVG: recognised by its root element, never decoded; size from the root's attributes where they are plain."""

from __future__ import annotations

import re

from picspider.errors import Failed
from picspider.pictures.formats.header import Header

_ROOT = re.compile(rb"<(?:[\w.-]+:)?svg\b([^>]*)>", re.IGNORECASE)
_END = re.compile(rb"</(?:[\w.-]+:)?svg\s*>", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb"""(?<![\w:-])(width|height|viewBox)\s*=\s*["']([^"'<]{1,100})["']""")
_NUMBER = re.compile(rb"\s*([0-9]{0,7}(?:\.[0-9]{1,9})?)(?:e[+-]?\d)?\s*([a-z%]*)\s*")
# CSS pixels, 96 to the inch
_PIXELS = {b"": 1.0, b"px": 1.0, b"pt": 96 / 72, b"pc": 16.0, b"in": 96.0, b"cm": 96 / 2.54, b"mm": 96 / 25.4}
_HEAD_BYTES = 65536


def header(data: bytes) -> Header:
    """Size from width and height, else from the viewBox, else 0x0."""
    root = _ROOT.search(data[:_HEAD_BYTES])
    if root is None:
        raise IndexError  # the root element is not complete
    found = dict(_ATTRIBUTE.findall(root[1]))
    width, height = _pixels(found.get(b"width", b"")), _pixels(found.get(b"height", b""))
    if not width or not height:
        box = [_pixels(each) for each in found.get(b"viewBox", b"").replace(b",", b" ").split()[2:]]
        width, height = box if len(box) == 2 else (0, 0)
    return Header(width, height)


def finish(data: bytes, head: Header) -> Header:
    """Look for the root's end tag; raises Failed("truncated")."""
    root = _ROOT.search(data[:_HEAD_BYTES])
    if root is None or (not root[1].endswith(b"/") and not _END.search(data[-_HEAD_BYTES:])):
        raise Failed("truncated", f"SVG ends early: no end tag in {len(data):,} bytes")
    return head


def _pixels(text: bytes) -> int:
    number = _NUMBER.fullmatch(text)
    if not number or not number[1] or number[1] == b"." or number[2] not in _PIXELS:
        return 0
    return round(float(number[1]) * _PIXELS[number[2]])
