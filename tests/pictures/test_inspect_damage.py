"""Truncated, corrupt and bomb-like pictures."""

from __future__ import annotations

import struct
import time
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from picspider.errors import Failed
from picspider.failures import REASONS
from picspider.pictures.inspect import inspect, sniff

KINDS = (
    *("JPEG", "JPEG progressive", "JPEG with restarts", "JPEG with thumbnail", "PNG", "APNG", "GIF", "GIF animated"),
    *("WEBP", "WEBP lossless", "WEBP animated", "AVIF", "BMP", "TIFF", "ICO"),
)


def reason_of(body: bytes) -> str:
    """Why *body* is refused."""
    with pytest.raises(Failed) as caught:
        inspect(body)
    assert caught.value.reason in REASONS
    return caught.value.reason


@pytest.mark.parametrize("share", [0.2, 0.6, 0.95])
@pytest.mark.parametrize("kind", KINDS)
def test_cut_off_picture_is_truncated(samples: dict[str, bytes], kind: str, share: float) -> None:
    """A download that ended early is told as truncated, wherever it ended."""
    body = samples[kind]
    assert reason_of(body[: int(len(body) * share)]) == "truncated"


@pytest.mark.parametrize("kind", KINDS)
def test_no_beginning_of_a_picture_passes(samples: dict[str, bytes], kind: str) -> None:
    """Each strict beginning of a picture is refused: its structure tells that the rest is missing."""
    body = samples[kind]
    step = max(1, len(body) // 300)
    for length in {*range(0, len(body), step), *range(max(0, len(body) - 64), len(body))}:
        with pytest.raises(Failed) as caught:
            inspect(body[:length])
        if length > 30:
            assert caught.value.reason == "truncated", length


def test_cut_jpeg_padded_with_zeros(samples: dict[str, bytes]) -> None:
    """A file that was given its full length before all of it came ends in zeros."""
    body = samples["JPEG"]
    cut = body[: len(body) * 3 // 5]
    assert reason_of(cut + bytes(len(body) - len(cut))) == "truncated"


def test_cut_jpeg_with_text_behind(samples: dict[str, bytes]) -> None:
    """An error message behind half a picture does not make it whole."""
    body = samples["JPEG progressive"]
    assert reason_of(body[: len(body) // 2] + b"\n<b>Warning</b>: connection lost in /var/www/img.php") == "truncated"


def test_jpeg_with_too_few_bytes_for_its_size(samples: dict[str, bytes]) -> None:
    """A frame of thousands of blocks cannot come from some hundred bytes, even with an end marker."""
    body = bytearray(samples["JPEG"])
    frame = body.index(b"\xff\xc0")
    body[frame + 5 : frame + 9] = struct.pack(">HH", 6000, 8000)
    assert reason_of(bytes(body)) in ("truncated", "corrupt")


def test_png_with_a_wrong_checksum(samples: dict[str, bytes]) -> None:
    """A flipped bit in the pixels of a PNG is found by the chunk's checksum."""
    body = bytearray(samples["PNG"])
    body[body.index(b"IDAT") + 40] ^= 1
    assert reason_of(bytes(body)) == "corrupt"


def test_png_with_a_wrong_checksum_in_a_note(samples: dict[str, bytes]) -> None:
    """A damaged comment hurts nobody: browsers show the picture."""
    body = samples["PNG"]
    note = struct.pack(">I4s4sI", 4, b"tEXt", b"a\0bc", 12345)
    assert inspect(body[:33] + note + body[33:]).format == "PNG"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "empty"),
        (b"\xff\xd8\xff\xd9", "truncated"),
        (b"\xff\xd8\xff\xe0\x00\x04ab\xff\xd9\xff\xff", "corrupt"),
        (b"GIF89a\x01\0\x01\0\0\0\0;", "corrupt"),
        (b"GIF89a\0\0\0\0\0\0\0;", "corrupt"),
        (b"RIFF\x16\0\0\0WEBPVP8 \x0a\0\0\0\x30\x01\0\0\0\0\x01\0\x01\0", "corrupt"),
        (b"RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x01\0\0\x01\0\0", "corrupt"),
        (b"II*\0\x08\0\0\0\0\0\0\0\0\0", "corrupt"),
        (b"MM\0*\0\0\0\x08", "truncated"),
        (b"\0\0\0\x10ftypavif\0\0\0\0\0\0\0\x08meta", "corrupt"),
        (b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 0, 5) + bytes(9), "corrupt"),
    ],
)
def test_right_signature_and_no_picture(body: bytes, reason: str) -> None:
    """What begins like a picture and holds none is told as such."""
    assert reason_of(body) == reason


def test_handed_short_bmp(shared: Path) -> None:
    """The BMP of a Pillow report that its verify() let pass."""
    body = (shared / "cases/cases/image-short-bmp/files/p_a.bmp").read_bytes()
    assert reason_of(body) == "truncated"


def png_of(width: int, height: int) -> bytes:
    """A valid one-bit PNG of any size, all zeros."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    packer = zlib.compressobj(1)
    row = bytes(1 + (width + 7) // 8)
    pixels = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def test_png_bomb() -> None:
    """A small file that unpacks to hundreds of millions of pixels is a bomb, and is not decoded."""
    assert reason_of(png_of(30_000, 30_000)) == "bomb"


def test_large_drawing_is_no_bomb() -> None:
    """A large plan in black and white packs well, and is no bomb."""
    assert inspect(png_of(9000, 9000)).width == 9000


@pytest.mark.parametrize(
    "body",
    [
        b"GIF89a\xff\xff\xff\xff\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;",
        b"RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xff\xff\x00\xff\xff\x00",
        b"\xff\xd8\xff\xc0\0\x0b\x08\xff\xff\xff\xff\x01\x01\x11\0\xff\xda\0\x08\x01\x01\0\0\x3f\0\0\xff\xd9",
        b"BM" + struct.pack("<IIIIiiHHI", 100, 0, 54, 40, 60000, 60000, 1, 1, 1) + bytes(20),
    ],
)
def test_bombs_of_other_formats(body: bytes) -> None:
    """The size alone decides, before anything else of the file is looked at."""
    assert reason_of(body) == "bomb"


HOSTILE = {
    "JPEG of tiny segments": b"\xff\xd8" + b"\xff\xe1\0\2" * 500_000,
    "JPEG of junk": b"\xff\xd8\xff" + b"\xff\0" * 1_000_000,
    "JPEG of zeros": b"\xff\xd8\xff\xe0\0\4ab" + bytes(2_000_000),
    "GIF of padding": b"GIF89a\1\0\1\0\0\0\0" + bytes(2_000_000),
    "GIF of notes": b"GIF89a\1\0\1\0\0\0\0" + b"!\xfe\0" * 700_000,
    "WebP of chunks": b"RIFF\0\0\x10\0WEBPVP8X\x0a\0\0\0" + bytes(10) + b"abcd\0\0\0\0" * 250_000,
    "AVIF of boxes": b"\0\0\0\x10ftypavif\0\0\0\0" + b"\0\0\0\x08free" * 250_000,
    "TIFF of itself": b"II*\0\x08\0\0\0" + b"\xff\x0f\0\1" * 500_000,
    "JXL of boxes": b"\0\0\0\x0cJXL \r\n\x87\n" + b"\0\0\0\x08free" * 250_000,
    "white space": b" " * 2_000_000,
    "comments": b"<!---->" * 300_000,
    "SVG of attributes": b"<svg " + b"a='b' " * 300_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bodies_cost_little_time(name: str) -> None:
    """Two megabytes made to keep a reader busy are refused within a second."""
    begin = time.process_time()
    assert reason_of(HOSTILE[name]) in ("truncated", "corrupt", "not-a-picture", "unsupported")
    assert time.process_time() - begin < 1


@settings(deadline=None, max_examples=300)
@given(st.data())
def test_damaged_pictures_fail_and_nothing_else(samples: dict[str, bytes], data: st.DataObject) -> None:
    """Whatever is changed in a picture, the answer is facts or one of the reasons, never another exception."""
    body = bytearray(samples[data.draw(st.sampled_from(sorted(samples)))])
    for _ in range(data.draw(st.integers(1, 5))):
        near = data.draw(st.sampled_from((32, 256, len(body))))
        place = data.draw(st.integers(0, max(0, min(near, len(body)) - 1)))
        body[place : place + data.draw(st.integers(0, 8))] = data.draw(st.binary(max_size=8))
    try:
        facts = inspect(bytes(body), extra_formats=frozenset({"SVG", "JXL"}))
    except Failed as failed:
        assert failed.reason in REASONS  # noqa: PT017 - either outcome is right
    else:
        assert facts.bytes == len(body)
    sniff(bytes(body[:1024]))


@settings(deadline=None)
@given(st.one_of(st.binary(max_size=400), st.text().map(str.encode)))
def test_random_bytes_fail_and_nothing_else(body: bytes) -> None:
    """Noise is refused with a reason and a message in words, unless it happens to be a tiny picture."""
    try:
        inspect(body)
    except Failed as failed:
        assert failed.reason in REASONS  # noqa: PT017 - either outcome is right
        assert failed.message.isprintable()  # noqa: PT017 - the same
