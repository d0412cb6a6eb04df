"""Pictures of every kind, drawn once."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image

WIDTH, HEIGHT = 96, 64
FORMATS = ("JPEG", "PNG", "GIF", "WEBP", "AVIF", "BMP", "TIFF", "ICO", "TGA", "JPEG2000", "PPM", "PCX", "DDS", "QOI")


def draw(width: int = WIDTH, height: int = HEIGHT) -> Image.Image:
    """A picture with some detail."""
    noise = Image.effect_noise((width // 4 or 1, height // 4 or 1), 80).resize((width, height))
    return Image.merge("RGB", [noise, noise.rotate(180), Image.linear_gradient("L").resize((width, height))])


def encode(picture: Image.Image, name: str, **options: Any) -> bytes:
    """*picture* as a file of the format *name*."""
    file = io.BytesIO()
    picture.save(file, name, **options)
    return file.getvalue()


def exif(orientation: int) -> Image.Exif:
    """An EXIF block as a camera writes it."""
    block = Image.Exif()
    block[0x010F], block[0x0110], block[0x0112] = "Maker", "Model", orientation
    return block


@pytest.fixture(scope="session")
def samples() -> dict[str, bytes]:
    """A file of each format by its name, and of some of their kinds."""
    picture = draw()
    indexed = picture.convert("P")
    frames = [draw().rotate(30 * turn) for turn in (1, 2, 3)]
    several: dict[str, Any] = {"save_all": True, "append_images": frames}
    made = {name: encode(picture, name) for name in FORMATS if name != "ICO"}
    return made | {
        "ICO": encode(picture, "ICO", sizes=[(48, 32), (24, 16)]),
        "JPEG progressive": encode(picture, "JPEG", progressive=True),
        "JPEG with restarts": encode(picture, "JPEG", restart_marker_rows=1),
        "JPEG of inks": encode(picture.convert("CMYK"), "JPEG"),
        "JPEG with thumbnail": with_thumbnail(encode(picture, "JPEG"), encode(draw(32, 24), "JPEG")),
        "MPO": encode(picture, "MPO", **several),
        "APNG": encode(picture, "PNG", **several),
        "GIF animated": encode(indexed, "GIF", save_all=True, append_images=[each.convert("P") for each in frames]),
        "WEBP lossless": encode(picture, "WEBP", lossless=True),
        "WEBP animated": encode(picture, "WEBP", **several),
        "WEBP transparent": encode(picture.convert("RGBA"), "WEBP"),
        "TIFF packed": encode(picture, "TIFF", compression="tiff_lzw"),
    }


def with_thumbnail(jpeg: bytes, thumbnail: bytes) -> bytes:
    """*jpeg* with an EXIF segment that holds a whole JPEG of its own."""
    segment = b"Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0" + thumbnail
    return jpeg[:2] + b"\xff\xe1" + (len(segment) + 2).to_bytes(2, "big") + segment + jpeg[2:]
