"""The picture formats with a reader of their own: one file each, one line in `FORMATS`. Pillow reads the others."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from picspider.pictures.formats import bmp, gif, ico, isobmff, jpeg, jxl, png, svg, tiff, webp
from picspider.pictures.formats.header import Header

# Instructions, comments and a declaration may stand before the root element. No part can match in two ways,
# so that a hostile page costs no time.
_BEFORE_ROOT = (
    rb"(?:\xef\xbb\xbf)?\s{0,999}(?:<(?:\?[^>]{0,500}|!--(?:(?!-->).){0,4000}--"
    rb"|!DOCTYPE\s+svg\b[^\[>]{0,500}(?:\[[^\]]{0,9000}\]\s*)?)>\s{0,999}){0,9}"
)


@dataclass(frozen=True, slots=True)
class PictureFormat:
    """A format by Pillow's name.

    `signature`: regular expression of the first bytes; `header`: size and turn; `finish`: is all of it there;
    `decoder`: the module that must be installed to trust it, "" when none could.
    """

    name: str
    signature: bytes
    header: Callable[[bytes], Header]
    finish: Callable[[bytes, Header], Header]
    decoder: str = "PIL"


FORMATS: tuple[PictureFormat, ...] = (
    PictureFormat("JPEG", jpeg.SIGNATURE, jpeg.header, jpeg.finish),
    PictureFormat("PNG", png.SIGNATURE, png.header, png.finish),
    PictureFormat("WEBP", webp.SIGNATURE, webp.header, webp.finish),
    PictureFormat("GIF", gif.SIGNATURE, gif.header, gif.finish),
    PictureFormat("AVIF", isobmff.AVIF, isobmff.header, isobmff.finish),
    PictureFormat("HEIF", isobmff.HEIF, isobmff.header, isobmff.finish, decoder="pillow_heif"),
    PictureFormat("TIFF", tiff.SIGNATURE, tiff.header, tiff.finish),
    PictureFormat("BMP", bmp.SIGNATURE, bmp.header, bmp.finish),
    PictureFormat("ICO", ico.ICON, ico.header, ico.finish),
    PictureFormat("CUR", ico.CURSOR, ico.header, ico.finish),
    PictureFormat("JXL", jxl.SIGNATURE, jxl.header, jxl.finish, decoder="pillow_jxl"),
    PictureFormat("SVG", _BEFORE_ROOT + rb"<(?:[\w.-]+:)?svg[\s>/]", svg.header, svg.finish, decoder=""),
)

_BY_NAME = {each.name: each for each in FORMATS}
_SIGNATURES = re.compile(b"|".join(b"(?P<%s>%s)" % (each.name.encode(), each.signature) for each in FORMATS), re.DOTALL)


def recognise(data: bytes) -> PictureFormat | None:
    """The format whose signature *data* begins with."""
    found = _SIGNATURES.match(data)
    return _BY_NAME[found.lastgroup] if found and found.lastgroup else None


@cache
def has_decoder(module: str) -> bool:
    """Whether the *module* that decodes a format is installed."""
    return bool(module) and importlib.util.find_spec(module) is not None
