from __future__ import annotations

import base64
import io
from pathlib import Path

import pytest
from PIL import Image

from picspider.demo.pictures import landscape
from picspider.report.thumbnails import ThumbnailBudget, Thumbnails, make_thumbnail, path_of

SHA = "ab" * 32


@pytest.fixture
def output(tmp_path: Path) -> Path:
    """An output folder with one picture."""
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "one.jpg").write_bytes(landscape(1, 640, 420))
    return tmp_path


def test_made_once_and_named_by_content(output: Path) -> None:
    """A thumbnail is made when it is first wanted; later the file is taken as it is."""
    thumbnails = Thumbnails(output, ThumbnailBudget(make=5), 1)
    assert thumbnails.of(SHA, "one.jpg") == "thumbnails/ab/abababababababab.webp"
    (output / "pictures" / "one.jpg").unlink()
    assert Thumbnails(output, ThumbnailBudget(), 1).of(SHA, "one.jpg") == "thumbnails/ab/abababababababab.webp"
    assert max(Image.open(path_of(output, SHA)).size) == 160


def test_few_are_put_into_the_report(output: Path) -> None:
    """Within the budget the thumbnail comes as a data URL."""
    source = Thumbnails(output, ThumbnailBudget(make=5, embed=5), 1).of(SHA, "one.jpg")
    assert source is not None
    with Image.open(io.BytesIO(base64.b64decode(source.partition(",")[2]))) as picture:
        assert picture.format == "WEBP"


def test_budget_is_kept(output: Path) -> None:
    """More pictures than the budget allows, or no time left: none is made."""
    assert Thumbnails(output, ThumbnailBudget(make=5), 6).of(SHA, "one.jpg") is None
    assert Thumbnails(output, ThumbnailBudget(make=5, seconds=-1), 1).of(SHA, "one.jpg") is None


@pytest.mark.parametrize("body", [b"", b"<svg xmlns='http://www.w3.org/2000/svg'/>", landscape(1, 64, 64)[:300]])
def test_what_cannot_be_made_is_left_out(output: Path, body: bytes) -> None:
    """An empty, foreign or damaged file has no thumbnail, and nothing half-made lies about."""
    (output / "pictures" / "bad.jpg").write_bytes(body)
    assert make_thumbnail(output, SHA, "bad.jpg") is None
    assert list((output / "thumbnails").rglob("*.*")) == []


def test_picture_is_turned_upright(output: Path) -> None:
    """The camera's orientation is applied."""
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (300, 100), "red").save(output / "pictures" / "turned.jpg", exif=exif)
    made = make_thumbnail(output, SHA, "turned.jpg")
    assert made is not None
    with Image.open(made) as picture:
        assert picture.height > picture.width
