"""Every format that Pillow writes, judged by us and by Pillow; turned, animated, cut and damaged."""

from __future__ import annotations

import io
import warnings
from typing import Any

import pytest
from PIL import Image, ImageOps

from picspider.errors import Failed
from picspider.pictures.inspect import inspect, sniff

WIDTH, HEIGHT = 61, 43
FORMATS = ["PNG", "JPEG", "GIF", "WEBP", "AVIF", "BMP", "TIFF", "ICO", "JPEG2000", "PPM", "TGA", "PCX", "SGI", "DDS",
           "QOI", "MPO", "DIB", "ICNS"]  # fmt: skip
ODD: dict[str, tuple[str, str, dict[str, Any]]] = {
    "CMYK": ("CMYK", "JPEG", {}),
    "grey": ("L", "JPEG", {}),
    "progressive": ("RGB", "JPEG", {"progressive": True}),
    "16 bit": ("I;16", "PNG", {}),
    "1 bit": ("1", "PNG", {}),
    "palette": ("P", "PNG", {}),
    "grey with alpha": ("LA", "PNG", {}),
    "lossless": ("RGBA", "WEBP", {"lossless": True}),
    "LZW": ("RGB", "TIFF", {"compression": "tiff_lzw"}),
    "BigTIFF": ("RGB", "TIFF", {"big_tiff": True}),
    "bits": ("1", "BMP", {}),
}
TURNABLE = ["JPEG", "PNG", "WEBP", "TIFF", "AVIF"]
ANIMATED = ["GIF", "PNG", "WEBP", "AVIF"]


def saved(mode: str, form: str, **how: Any) -> bytes:
    """A picture of noise."""
    image = Image.effect_noise((WIDTH, HEIGHT), 80)
    image = Image.new(mode, (WIDTH, HEIGHT), 4000) if mode == "I;16" else image.convert("RGB").convert(mode)
    file = io.BytesIO()
    image.save(file, form, **how)
    return file.getvalue()


def pillows_size(body: bytes) -> tuple[int, int]:
    """The upright size as Pillow decodes it."""
    with warnings.catch_warnings(), Image.open(io.BytesIO(body)) as image:
        warnings.simplefilter("ignore")
        return ImageOps.exif_transpose(image).size


@pytest.mark.parametrize("form", FORMATS)
def test_format(form: str) -> None:
    """Size as Pillow decodes it, and nothing that is cut passes for whole."""
    body = saved("RGB", form)
    facts = inspect(body)
    assert (facts.width, facts.height) == pillows_size(body)
    for share in (0.2, 0.5, 0.8):
        with pytest.raises(Failed) as caught:
            inspect(body[: int(len(body) * share)])
        assert caught.value.reason in ("truncated", "corrupt", "not-a-picture")


@pytest.mark.parametrize("name", ODD)
def test_odd_kind(name: str) -> None:
    """Colour modes and compressions do not matter."""
    mode, form, how = ODD[name]
    facts = inspect(saved(mode, form, **how))
    assert (facts.format, facts.width, facts.height) == (form, WIDTH, HEIGHT)


@pytest.mark.parametrize("form", TURNABLE)
@pytest.mark.parametrize("orientation", range(1, 9))
def test_turned(form: str, orientation: int) -> None:
    """EXIF says how to hold it, and sizes are judged upright."""
    exif = Image.Exif()
    exif[0x112] = orientation
    facts = inspect(saved("RGB", form, exif=exif))
    assert (facts.width, facts.height) == ((HEIGHT, WIDTH) if orientation >= 5 else (WIDTH, HEIGHT))


@pytest.mark.parametrize("form", ANIMATED)
def test_animated(form: str) -> None:
    """An animation is one picture, of the size of its canvas."""
    frames = [Image.effect_noise((WIDTH, HEIGHT), 40 + number).convert("RGB") for number in range(4)]
    file = io.BytesIO()
    frames[0].save(file, form, save_all=True, append_images=frames[1:])
    facts = inspect(file.getvalue())
    assert (facts.format, facts.width, facts.height, facts.animated) == (form, WIDTH, HEIGHT, True)


def test_heic_is_as_large_as_it_is_shown() -> None:
    """HEIC is coded in whole blocks, and a clean aperture cuts off what fills them up."""
    heif = pytest.importorskip("pillow_heif", reason="the extra heif is not installed")
    heif.register_heif_opener()
    body = saved("RGB", "HEIF")
    seen = sniff(body)
    assert seen is not None
    assert (inspect(body).width, inspect(body).height) == pillows_size(body) == (seen.width, seen.height)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "GIF", "WEBP", "BMP", "QOI"])
def test_bytes_behind_the_end(form: str) -> None:
    """Counters and comments that servers append do no harm."""
    body = saved("RGB", form)
    assert inspect(body + b"\n<!-- served in 0.1 s -->\n").width == inspect(body).width == WIDTH


@pytest.mark.parametrize(
    "body",
    [
        b"GIF89a\xff\xff\xff\xff\x80\0\0" + bytes(6) + b"\x2c" + bytes(9) + b"\x02\x02\x44\x01\0\x3b",
        b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR" + (60_000).to_bytes(4, "big") * 2 + b"\x08\x02\0\0\0" + bytes(40),
        b"BM" + bytes(8) + b"\x36\0\0\0\x28\0\0\0" + (60_000).to_bytes(4, "little") * 2 + b"\x01\0\x18\0" + bytes(24),
    ],
)
def test_bomb(body: bytes) -> None:
    """A few bytes that say they are billions of pixels are told as a bomb before anything is decoded."""
    with pytest.raises(Failed) as caught:
        inspect(body)
    assert caught.value.reason == "bomb"
