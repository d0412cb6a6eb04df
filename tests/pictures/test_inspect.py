"""What is read from whole pictures."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from picspider.errors import Failed
from picspider.pictures import formats
from picspider.pictures.inspect import inspect
from picspider.records import Facts
from tests.pictures.conftest import FORMATS, HEIGHT, WIDTH, draw, encode, exif

EXTENSIONS = {"JPEG": ".jpg", "TIFF": ".tif", "JPEG2000": ".jp2"}


@pytest.mark.parametrize("name", [each for each in FORMATS if each != "ICO"])
def test_facts_of_each_format(samples: dict[str, bytes], name: str) -> None:
    """Format, size, extension and bytes are told for every format that Pillow writes."""
    body = samples[name]
    extension = EXTENSIONS.get(name, "." + name.lower())
    assert inspect(body) == Facts(name, WIDTH, HEIGHT, extension, len(body))


@pytest.mark.parametrize(
    ("kind", "name", "animated"),
    [
        ("JPEG progressive", "JPEG", False),
        ("JPEG with restarts", "JPEG", False),
        ("JPEG of inks", "JPEG", False),
        ("JPEG with thumbnail", "JPEG", False),
        ("MPO", "JPEG", False),
        ("APNG", "PNG", True),
        ("GIF animated", "GIF", True),
        ("WEBP lossless", "WEBP", False),
        ("WEBP animated", "WEBP", True),
        ("WEBP transparent", "WEBP", False),
        ("TIFF packed", "TIFF", False),
    ],
)
def test_facts_of_kinds_within_a_format(samples: dict[str, bytes], kind: str, name: str, animated: bool) -> None:  # noqa: FBT001 - a table's column
    """A progressive, transparent, animated or several-picture file is of its plain format."""
    facts = inspect(samples[kind])
    assert (facts.format, facts.width, facts.height, facts.animated) == (name, WIDTH, HEIGHT, animated)


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("name", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_size_is_upright(name: str, orientation: int) -> None:
    """An orientation of 5 to 8 in EXIF swaps width and height, the others do not."""
    body = encode(draw(), name, exif=exif(orientation))
    upright = (HEIGHT, WIDTH) if orientation >= 5 else (WIDTH, HEIGHT)
    facts = inspect(body)
    assert (facts.width, facts.height) == upright


def test_upright_size_of_avif_by_its_turn_property() -> None:
    """Pillow writes the orientation of an AVIF as irot, which is read from the boxes."""
    body = encode(draw(), "AVIF", exif=exif(6))
    facts = inspect(body)
    assert (facts.width, facts.height) == (HEIGHT, WIDTH)


def test_icon_is_as_large_as_its_largest_picture(samples: dict[str, bytes]) -> None:
    """An icon file holds several sizes; the largest counts."""
    facts = inspect(samples["ICO"])
    assert (facts.format, facts.width, facts.height) == ("ICO", 48, 32)


@pytest.mark.parametrize("kind", ["JPEG", "JPEG progressive", "PNG", "GIF", "WEBP", "BMP", "TIFF", "ICO"])
@pytest.mark.parametrize("garbage", [b"\0", b"\r\n", b"x" * 5000, b"<!-- served by -->", b"\xff\xd9"])
def test_trailing_bytes_are_tolerated(samples: dict[str, bytes], kind: str, garbage: bytes) -> None:
    """Bytes behind the end of the picture do not make it a failure."""
    assert inspect(samples[kind] + garbage).format == kind.split(maxsplit=1)[0]


def test_heif_with_its_plugin() -> None:
    """With pillow-heif installed a HEIC is a picture like any other, its size read from its boxes."""
    heif = pytest.importorskip("pillow_heif", reason="the extra heif is not installed")
    heif.register_heif_opener()
    body = encode(draw(), "HEIF", exif=exif(6))
    facts = inspect(body)
    assert (facts.format, facts.extension, facts.bytes) == ("HEIF", ".heic", len(body))
    assert {facts.width, facts.height} == {WIDTH, HEIGHT}


def test_jxl_with_its_plugin() -> None:
    """With pillow-jxl-plugin installed a JPEG XL is decoded, since nothing marks its end."""
    pytest.importorskip("pillow_jxl", reason="the extra jxl is not installed")
    body = encode(draw(), "JXL")
    facts = inspect(body)
    assert (facts.format, facts.width, facts.height, facts.extension) == ("JXL", WIDTH, HEIGHT, ".jxl")
    with pytest.raises(Failed):
        inspect(body[: len(body) * 3 // 5])


def test_handed_pictures_are_what_they_say(shared: Path) -> None:
    """Every good picture of the handed cases is taken; Pillow agrees on format and size (one serves half a file)."""
    files = shared.glob("cases/cases/*/files/*.*")
    good = [path for path in files if path.suffix in (".jpg", ".png", ".gif", ".webp") and "resp-206" not in str(path)]
    assert len(good) > 100
    for path in good:
        facts = inspect(path.read_bytes())
        with Image.open(path) as picture:
            sizes = {picture.size, picture.size[::-1]}
            assert facts.format == picture.format or (facts.format, picture.format) == ("JPEG", "MPO")
        assert (facts.width, facts.height) in sizes


def test_every_format_has_a_distinct_name() -> None:
    """A name stands once in the table, so that a reader is found by it."""
    names = [each.name for each in formats.FORMATS]
    assert len(names) == len(set(names))
