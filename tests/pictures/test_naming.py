from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import datetime, timezone
from hashlib import blake2b
from pathlib import Path

import pytest

from picspider.frontier.store.store import Store
from picspider.output_folder import OutputFolder
from picspider.pictures.file_names import fold
from picspider.pictures.naming import Names
from picspider.places import Places
from picspider.records import Facts
from picspider.urls import fingerprint
from picspider.visit import Note
from tests.report.made_store import LAST_LAYER, MadeStore

URL = "http://a.example/f/1.jpg"
FACTS = Facts("JPEG", 30, 20, ".jpg", 4000)
ENTRY, ALBUM, NEXT, UNNAMED = 1, 2, 3, 4


@pytest.fixture
def places(tmp_path: Path) -> Iterator[Places]:
    """An album, its second page, and an album whose link has no text."""
    made = MadeStore()
    made.row("http://a.example/", "Start", 0, 0)
    made.row("http://a.example/album/1", "Album", 1, ENTRY)
    made.row("http://a.example/album/1?p=2", "Next", 1, ALBUM, page=2, chain=ALBUM)
    made.row("http://a.example/album/the%20sea.html", "", 1, ENTRY)
    store = Store(OutputFolder(made.write(tmp_path)).store_url)
    yield Places(store.connection)
    store.close()


def named(places: Places, template: str, parent: int = ALBUM, stored: datetime | None = None) -> str:
    """The first name for URL, seventh link of its page."""
    note = Note(9, LAST_LAYER, kind="picture", parent=parent, position=6, text="Boat")
    return next(Names(template, places).candidates(URL, note, FACTS, "ab" * 32, stored))[0]


def test_fields_of_a_name(places: Places) -> None:
    """All that is known of the picture and its place may stand in it."""
    template = (
        "{layer1} {text} {title} {page} {index} {width}x{height} {format} {sha256:.4} {layer} {parent} {bytes}{ext}"
    )
    assert named(places, template) == "Album Boat Album 1 7 30x20 jpeg abab 3 1 4000.jpg"
    assert named(places, "{layer1} {title} {page}{ext}", NEXT) == "Album Album 2.jpg"
    assert named(places, "{layer1}-{parent}{ext}", UNNAMED) == "the sea-the sea.jpg"
    assert named(places, "{title}{stem}{ext}", 0) == "1.jpg"


def test_date_of_a_name(places: Places) -> None:
    """It is that of the storing, or now."""
    assert named(places, "{date:%Y-%m-%d}{ext}", stored=datetime(2024, 2, 3, tzinfo=timezone.utc)) == "2024-02-03.jpg"
    assert named(places, "{date:%Y}{ext}") == f"{datetime.now(timezone.utc):%Y}.jpg"


def test_names_that_are_taken(places: Places) -> None:
    """A tag of the address is added, ever longer, until a name is free for the row; after the longest none is."""
    tag = blake2b(URL.encode(), digest_size=16).hexdigest()
    names = ["Album/1.jpg", *(f"Album/1-{tag[:length]}.jpg" for length in (4, 8, 32))]
    asked: list[tuple[int, int, str]] = []

    async def choose(free: str | None) -> tuple[str, int]:
        async def claim(key: int, row: int, file: str) -> bool:
            asked.append((key, row, file))
            return free is not None and key == fingerprint(fold(free))

        note = Note(9, LAST_LAYER, kind="picture", parent=ALBUM)
        return await Names("{layer1}/{stem}{ext}", places).choose(URL, note, FACTS, "ab" * 32, claim)

    for name in names:
        assert asyncio.run(choose(name)) == (name, fingerprint(fold(name)))
    asked.clear()
    with pytest.raises(OSError, match="no free file name for"):
        asyncio.run(choose(None))
    assert asked == [(fingerprint(fold(name)), 9, name) for name in names]


def test_address_that_is_no_text(places: Places) -> None:
    """Bytes of a page that no encoding explains may stand in an address: its names have a tag all the same."""
    note = Note(9, LAST_LAYER, kind="picture", parent=ALBUM)
    names = list(Names("{stem}{ext}", places).candidates("http://a.example/\udcff.jpg", note, FACTS, "ab" * 32))
    assert len(names) == len(set(names)) == 4
