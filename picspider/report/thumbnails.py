"""Small versions of the stored pictures, made once into OUTPUT/thumbnails and named by the picture's SHA-256."""

from __future__ import annotations

import base64
import io
import logging
import os
import time
from dataclasses import dataclass
from pathlib import Path

from PIL import ExifTags, Image

from picspider.output_folder import OutputFolder, partial_of
from picspider.pillow_plugins import load_plugins

logger = logging.getLogger(__name__)

EDGE_PIXELS = 160
QUALITY = 60
MOST_PIXELS = 100_000_000
FOLDER = "thumbnails"


@dataclass(frozen=True, slots=True)
class ThumbnailBudget:
    """What one report may spend: `make` new thumbnails in `seconds`; `embed` them when there are at most so many
    pictures (else they lie beside the report).
    """

    make: int = 0
    seconds: float = 1e9
    embed: int = 0


AFTER_A_RUN = ThumbnailBudget(make=200, seconds=1.0, embed=200)


class Thumbnails:
    """The thumbnails of one output folder."""

    def __init__(self, output: Path, budget: ThumbnailBudget, pictures: int) -> None:
        self._output = output
        self._embed = pictures <= budget.embed
        self._left = budget.make if pictures <= budget.make else 0
        self._stop = time.monotonic() + budget.seconds
        self._known = {file.stem for file in OutputFolder(output).thumbnails.glob("*/*.webp")}

    def of(self, sha256: str, file: str) -> str | None:
        """Where the thumbnail of a picture is: a path relative to the output folder, or a data URL; None: nowhere."""
        name = sha256[:16]
        if name not in self._known:
            if self._left <= 0 or time.monotonic() > self._stop:
                return None
            self._left -= 1
            if make_thumbnail(self._output, sha256, file) is None:
                return None
            self._known.add(name)
        if not self._embed:
            return f"{FOLDER}/{name[:2]}/{name}.webp"
        return _data_url(path_of(self._output, sha256))


def path_of(output: Path, sha256: str) -> Path:
    """Where the thumbnail of the picture with these bytes belongs."""
    return OutputFolder(output).thumbnails / f"{sha256[:2]}/{sha256[:16]}.webp"


def make_thumbnail(output: Path, sha256: str, file: str) -> Path | None:
    """Make the thumbnail of OUTPUT/pictures/*file*; None when it cannot be made (SVG, a foreign format, gone)."""
    target = path_of(output, sha256)
    try:
        data = _small(OutputFolder(output).pictures / file)
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = partial_of(target, os.getpid())
        partial.write_bytes(data)
        partial.replace(target)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as exc:
        logger.debug("No thumbnail of %r: %s", file, exc)
        return None
    return target


def _small(file: Path) -> bytes:
    load_plugins()
    with Image.open(file) as picture:
        if picture.width * picture.height > MOST_PIXELS:
            raise ValueError("too many pixels")
        picture.draft("RGB", (2 * EDGE_PIXELS, 2 * EDGE_PIXELS))  # JPEG is decoded at a fraction of its size
        orientation = picture.getexif().get(ExifTags.Base.Orientation, 1)
        picture.thumbnail((EDGE_PIXELS, EDGE_PIXELS))
        upright = picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    turn = _TURNS.get(orientation)
    stream = io.BytesIO()
    (upright.transpose(turn) if turn is not None else upright).save(stream, "WEBP", quality=QUALITY, method=1)
    return stream.getvalue()


# EXIF's orientation → how to turn
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


def _data_url(path: Path) -> str | None:
    try:
        return f"data:image/webp;base64,{base64.b64encode(path.read_bytes()).decode()}"
    except OSError:
        return None
