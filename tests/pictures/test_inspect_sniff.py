"""Format and size from the first bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from picspider.filters import Sniff
from picspider.pictures.inspect import inspect, sniff
from tests.pictures.conftest import HEIGHT, WIDTH, draw, encode, exif


@pytest.mark.parametrize(
    ("kind", "enough_bytes"),
    [
        ("PNG", 64),
        ("GIF", 64),
        ("BMP", 64),
        ("WEBP", 64),
        ("WEBP lossless", 64),
        ("WEBP animated", 64),
        ("JPEG", 1024),
        ("JPEG progressive", 1024),
        ("AVIF", 512),
        ("ICO", 128),
    ],
)
def test_size_within_the_first_bytes(samples: dict[str, bytes], kind: str, enough_bytes: int) -> None:
    """The size is known long before the body is there, and is that of the whole."""
    found = sniff(samples[kind][:enough_bytes])
    facts = inspect(samples[kind])
    assert found is not None
    assert (found.format, found.width, found.height) == (facts.format, facts.width, facts.height)


def test_too_few_bytes(samples: dict[str, bytes]) -> None:
    """The format is told before the size; nothing is told before the format."""
    assert sniff(b"") is None
    assert sniff(samples["JPEG"][:2]) is None
    assert sniff(samples["JPEG"][:20]) == Sniff("JPEG", 0, 0, settled=False)


def test_jpeg_is_sniffed_upright() -> None:
    """In a JPEG the orientation stands before the size, so that the size is settled."""
    found = sniff(encode(draw(), "JPEG", exif=exif(6))[:1024])
    assert found == Sniff("JPEG", HEIGHT, WIDTH, settled=True)


def test_size_that_may_still_turn_is_not_settled() -> None:
    """In WebP and PNG the orientation may come behind the pixels."""
    webp = sniff(encode(draw(), "WEBP", exif=exif(6))[:64])
    png = sniff(encode(draw(), "PNG", exif=exif(6))[:64])
    assert webp == Sniff("WEBP", WIDTH, HEIGHT, settled=False)
    assert png == Sniff("PNG", WIDTH, HEIGHT, settled=False)


@pytest.mark.parametrize("head", [b"<html><title>no", b'{"a": 1}', b"plain text", b"%PDF-1.4"])
def test_what_is_no_picture(head: bytes) -> None:
    """Nothing is said of other content: the whole body tells why."""
    assert sniff(head) is None


@given(st.data())
def test_sniffing_never_raises(samples: dict[str, bytes], data: st.DataObject) -> None:
    """Damaged or short heads give None or a size, never an exception."""
    head = bytearray(samples[data.draw(st.sampled_from(sorted(samples)))][: data.draw(st.integers(0, 600))])
    place = data.draw(st.integers(0, len(head)))
    head[place : place + 4] = data.draw(st.binary(max_size=6))
    found = sniff(bytes(head))
    assert found is None or (found.width >= 0 and found.height >= 0)
