"""The filters, each by the facts and from the first bytes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from picspider.config.pictures import Pictures
from picspider.filters import Sniff, build, early, judge
from picspider.records import Facts

PHOTO = Facts("JPEG", 1200, 800, ".jpg", 50_000)


def reason(facts: Facts, **bounds: object) -> str | None:
    """Why *facts* are refused under *bounds*."""
    skip = judge(build(Pictures(**bounds)), facts)  # type: ignore[arg-type]  # keywords of the test tables
    return skip.reason if skip else None


def early_reason(sniff: Sniff, declared_bytes: int | None = None, **bounds: object) -> str | None:
    """Why *sniff* is refused under *bounds*."""
    skip = early(build(Pictures(**bounds)), sniff, declared_bytes)  # type: ignore[arg-type]  # the same
    return skip.reason if skip else None


def test_defaults_ask_for_the_size_only() -> None:
    """Without bounds of the user's, only max_size of the contract is looked at."""
    assert len(build(Pictures())) == 1
    assert build(Pictures(max_size=None)) == ()
    assert len(build(Pictures(min_width=1, min_aspect=1.0, formats=["jpg"]))) == 4


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ({"min_width": 1200, "min_height": 800}, None),
        ({"min_width": 1201}, "too-small"),
        ({"min_height": 801}, "too-small"),
        ({"max_width": 1200, "max_height": 800}, None),
        ({"max_width": 1199}, "too-large"),
        ({"max_height": 799}, "too-large"),
        ({"min_size": 50_000, "max_size": 50_000}, None),
        ({"min_size": 50_001}, "too-small"),
        ({"max_size": 49_999}, "too-large"),
        ({"min_aspect": 1.5, "max_aspect": 1.5}, None),
        ({"min_aspect": 1.51}, "aspect"),
        ({"max_aspect": 1.49}, "aspect"),
        ({"formats": ["jpg", "png"]}, None),
        ({"formats": ["PNG"]}, "format"),
        ({"formats": []}, "format"),
        ({"formats": ["PNG"], "min_width": 5000}, "format"),
    ],
)
def test_bounds(bounds: dict[str, object], expected: str | None) -> None:
    """Bounds are inclusive; the first filter of the table that refuses gives the reason."""
    assert reason(PHOTO, **bounds) == expected


@pytest.mark.parametrize("name", ["jpg", "JPEG", ".jpeg", "image/jpeg", "Jfif", "mpo"])
def test_formats_by_any_name(name: str) -> None:
    """A format may be called by its name, an extension or its media type."""
    assert reason(PHOTO, formats=[name]) is None


@pytest.mark.parametrize(
    ("name", "format_name"), [("svg", "SVG"), ("image/svg+xml", "SVG"), ("heic", "HEIF"), ("tif", "TIFF")]
)
def test_formats_by_pillows_name(name: str, format_name: str) -> None:
    """What the user names is handed to the inspection by Pillow's name."""
    assert Pictures(formats=[name]).formats == (format_name,)


def test_unknown_size_passes() -> None:
    """A picture kept unverified has no size to judge."""
    unverified = replace(PHOTO, format="SVG", width=0, height=0)
    assert reason(unverified, min_width=500, max_height=10, min_aspect=2.0) is None


@pytest.mark.parametrize(
    ("bounds", "wanted"),
    [
        ({"min_width": 5000}, "a width of at least 5000"),
        ({"min_height": 5000}, "a height of at least 5000"),
        ({"min_width": 5000, "min_height": 10}, "at least 5000 × 10"),
        ({"max_width": 50}, "a width of at most 50"),
        ({"max_width": 50, "max_height": 40}, "at most 50 × 40"),
    ],
)
def test_messages_name_both_figures(bounds: dict[str, int], wanted: str) -> None:
    """The skip says what the picture has and what was wanted, and no more than that."""
    skip = judge(build(Pictures.model_validate(bounds)), PHOTO)
    assert skip is not None
    assert skip.message == f"1200 × 800 pixels; wanted is {wanted}"


@pytest.mark.parametrize(
    ("sniff", "declared", "bounds", "expected"),
    [
        (Sniff("JPEG", 100, 80), None, {"min_width": 200}, "too-small"),
        (Sniff("JPEG", 100, 80), None, {"max_width": 50}, "too-large"),
        (Sniff("JPEG", 100, 80), None, {"min_aspect": 2.0}, "aspect"),
        (Sniff("JPEG", 0, 0, settled=False), None, {"min_width": 200}, None),
        (Sniff("GIF", 0, 0, settled=False), None, {"formats": ["jpeg"]}, "format"),
        (Sniff("WEBP", 100, 300, settled=False), None, {"min_width": 200}, None),
        (Sniff("WEBP", 100, 150, settled=False), None, {"min_width": 200}, "too-small"),
        (Sniff("WEBP", 100, 300, settled=False), None, {"min_aspect": 2.0}, None),
        (Sniff("WEBP", 100, 110, settled=False), None, {"min_aspect": 2.0}, "aspect"),
        (Sniff("JPEG"), 500, {"min_size": 1000}, "too-small"),
        (Sniff("JPEG"), None, {"min_size": 1000}, None),
        (Sniff("JPEG"), 5000, {"max_size": 1000}, None),
    ],
)
def test_early(sniff: Sniff, declared: int | None, bounds: dict[str, object], expected: str | None) -> None:
    """The first bytes refuse only what the whole would: a size that may still turn must be refused both ways."""
    assert early_reason(sniff, declared, **bounds) == expected
