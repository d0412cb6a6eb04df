"""Which pages are looked at again, by what is known of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from picspider.frontier.run import listing
from picspider.frontier.run.listing import pages_to_look_at
from picspider.frontier.store.store import Store
from picspider.output_folder import OutputFolder
from picspider.schema import node
from tests.report.made_store import MadeStore

ALBUM, PHOTO, PICTURE = ({"links": links} for links in ("/album/", "/photo/", "jpg"))
CONFIG = {"layers": [ALBUM, PHOTO, PICTURE], "next_page": "Next"}
ALBUMS, PHOTOS = 10, 20


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> MadeStore:
    """An entry, ten albums (rows 2 to 11), and twenty photo pages (12 to 31) with one picture each."""
    monkeypatch.setattr(listing, "FEW_PAGES", PHOTOS - 1)
    made = MadeStore()
    made.row("http://a/", "", 0, 0, links=ALBUMS)
    albums = [made.row(f"http://a/album/{number}", "", 1, 1, links=2) for number in range(ALBUMS)]
    photos = [made.row(f"http://a/photo/{number}", "", 2, albums[number // 2], links=1) for number in range(PHOTOS)]
    for number, photo in enumerate(photos):
        made.stored(f"http://a/{number}.jpg", "", photo, f"{number}.jpg", links=None)
    return made


def photos_read(made: MadeStore, folder: Path, config: dict[str, Any] = CONFIG, run: int = 2) -> list[int]:
    """The photo pages that are read again; all others have to be, but for no picture."""
    for row in made.nodes:
        row.setdefault("links", None)
    store = Store(OutputFolder(made.write(folder)).store_url)
    which = pages_to_look_at(store.connection, json.dumps(config), run)
    rows = list(store.connection.scalars(select(node.c.id).where(which).order_by(node.c.id)))
    store.close()
    assert rows[: ALBUMS + 1] == list(range(1, ALBUMS + 2))
    return rows[ALBUMS + 1 :]


def test_photo_pages_in_turns(made: MadeStore, tmp_path: Path) -> None:
    """Of many pages with one picture each a tenth is read again, another one in each run."""
    assert [photos_read(made, tmp_path / str(run), run=run) for run in (2, 11, 12)] == [[12, 22], [21, 31], [12, 22]]


def test_pages_without_one_link(made: MadeStore, tmp_path: Path) -> None:
    """They are read again in each run."""
    made.nodes[13]["links"], made.nodes[14]["links"] = 0, 2
    assert photos_read(made, tmp_path) == [12, 14, 15, 22]


@pytest.mark.parametrize(("few", "all_of_them"), [(16, False), (15, True)])
def test_layer_of_photo_pages(made: MadeStore, tmp_path: Path, few: int, *, all_of_them: bool) -> None:
    """Such a layer is one where four in five pages have at most one link."""
    for row in made.nodes[11 + few : 31]:
        row["links"] = 5
    assert (13 in photos_read(made, tmp_path)) is all_of_them


def test_few_pages(made: MadeStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are all read again: it costs little, and albums of one picture may grow."""
    monkeypatch.setattr(listing, "FEW_PAGES", PHOTOS)
    assert len(photos_read(made, tmp_path)) == PHOTOS


def test_layer_with_next_pages(made: MadeStore, tmp_path: Path) -> None:
    """Where a chain goes on, more than one picture may come; next pages of the albums say nothing about photo pages."""
    made.nodes[1]["page"] = 2
    assert len(photos_read(made, tmp_path / "albums")) == 2
    made.nodes[12]["page"] = 2
    assert len(photos_read(made, tmp_path / "photos")) == PHOTOS


@pytest.mark.parametrize(
    ("config", "count"),
    [
        ({"layers": [ALBUM, {**PHOTO, "next_page": {"rel": "next"}}, PICTURE]}, PHOTOS),
        ({"layers": [ALBUM, {**PHOTO, "next_page": None}, PICTURE]}, 2),
        ({"layers": [{**ALBUM, "next_page": {"rel": "next"}}, PHOTO, PICTURE]}, 2),
        ({"layers": [ALBUM, PHOTO, PHOTO, PICTURE]}, PHOTOS),
        ({"layers": [PICTURE]}, PHOTOS),
        ({}, PHOTOS),
    ],
)
def test_what_the_config_says(made: MadeStore, tmp_path: Path, config: dict[str, Any], count: int) -> None:
    """Only the layer above the pictures may be one of photo pages, and not with a next-page rule of its own."""
    assert len(photos_read(made, tmp_path, config)) == count
