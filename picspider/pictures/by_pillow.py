"""Decoding by Pillow: for formats without a reader of our own, and for pictures whose structure is odd."""

from __future__ import annotations

import io
import re
import warnings
from dataclasses import dataclass

from PIL import Image, UnidentifiedImageError

from picspider.errors import Failed
from picspider.pictures.formats.exif import ORIENTATION
from picspider.pillow_plugins import load_plugin

# a decoded pixel takes up to four bytes: beyond this only the header is looked at
MOST_DECODED_PIXELS = 50_000_000

# Pillow takes these by a byte or two, or by no signature at all: what does not decode is no such picture
_LOOSE = frozenset({"FLI", "GBR", "IM", "IMT", "IPTC", "MCIDAS", "MSP", "PCD", "PCX", "PIXAR", "SPIDER", "SUN", "TGA"})
# recognised, but drawn by another program or not at all
_NOT_DECODED = frozenset({"EPS", "WMF", "BUFR", "GRIB", "HDF5"})
_NOT_PICTURES = frozenset({"MPEG"})
# how Pillow's readers say that bytes are missing
_SHORT = re.compile(r"truncated|not enough image data|unexpected end", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Opened:
    """What Pillow says: format by its name, upright size in pixels; `decodable`: it can read the pixels.

    It has read them, unless there are too many.
    """

    format: str
    width: int
    height: int
    animated: bool
    decodable: bool


def decode(data: bytes, *, only: str | None = None, decoder: str = "PIL") -> Opened | None:
    """Open and decode *data*; None when Pillow does not know it. `only`: the one format it may be.

    Raises Failed("truncated"), Failed("corrupt") or Failed("bomb"). Never runs another program.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # oversized, odd EXIF and the like: said by us in our words
        if decoder != "PIL":
            load_plugin(decoder)
        try:
            with Image.open(io.BytesIO(data), formats=[only] if only else None) as image:
                return _load(image)
        except Image.DecompressionBombError:
            raise Failed("bomb", "more pixels than Pillow agrees to decode") from None
        except BaseException as error:
            if not _is_damage(error):
                raise
            if only is None:
                return None
            detail = "" if isinstance(error, UnidentifiedImageError) else f": {_words(error)}"
            raise Failed("corrupt", f"{only} that cannot be decoded{detail}") from None


def _load(image: Image.Image) -> Opened | None:
    name, (width, height) = image.format or "", image.size
    if name in _NOT_PICTURES:
        return None
    decodable = name not in _NOT_DECODED
    try:
        if decodable and width * height <= MOST_DECODED_PIXELS:
            image.load()
        turned = 5 <= image.getexif().get(ORIENTATION, 1) <= 8
        animated = bool(getattr(image, "is_animated", False))
    except BaseException as error:
        if not _is_damage(error):
            raise
        if name in _LOOSE:
            return None
        raise Failed(
            "truncated" if _SHORT.search(str(error)) else "corrupt", f"{name} damaged: {_words(error)}"
        ) from None
    return Opened(name, *((height, width) if turned else (width, height)), animated, decodable)


def _is_damage(error: BaseException) -> bool:
    """On damaged bytes the readers raise whatever they stumble over, those in Rust panic outside of Exception."""
    return not isinstance(error, KeyboardInterrupt | SystemExit | GeneratorExit | Failed)


def _words(error: BaseException) -> str:
    """The error on one short line."""
    return " ".join("".join(each if each.isprintable() else " " for each in str(error)[:200]).split())
