"""A store filled directly, as a crawl of a large site leaves it: `python -m tests.report.large OUTPUT [PICTURES]`."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from picspider.failures import REASONS
from picspider.frontier.store import Store, sqlite_url
from picspider.schema import KindCode, State, node, picture, repeat, run, skip

BASE = "https://gallery.example"
STARTED = 1_750_000_000.0
SECONDS_PER_ROW = 0.004
PICTURES_PER_ALBUM, PHOTOS_PER_PAGE, ALBUMS_PER_LIST = 200, 50, 50
CONFIG = {
    "entry": [f"{BASE}/"],
    "layers": [{"links": "/g/", "name": "album"}, {"links": "/p", "name": "photo"}, {"links": "/full/", "name": "picture"}],
}


@dataclass
class Site:
    """The rows of a site of 1 entry chain → albums with next pages → photo pages → pictures."""

    pictures: int
    dice: random.Random = field(default_factory=lambda: random.Random(7))
    tables: dict[str, list[dict[str, Any]]] = field(
        default_factory=lambda: {"node": [], "picture": [], "skip": [], "repeat": []}
    )
    last: int = 0

    def fill(self) -> None:
        """Lay out every list, album, photo page and picture."""
        albums = -(-self.pictures // PICTURES_PER_ALBUM)
        lists: list[int] = []
        for number in range(albums):
            if number % ALBUMS_PER_LIST == 0:
                page = len(lists) + 1
                url = f"{BASE}/" if page == 1 else f"{BASE}/list/{page}.html"
                lists.append(self.row(url, "", 0, lists[-1] if lists else 0, page, lists[0] if lists else 0))
            self.album(number, lists[-1])

    def album(self, number: int, parent: int) -> None:
        """One album: its pages, photo pages and pictures."""
        name, title = f"{self.dice.getrandbits(40):x}", f"Album {number + 1} of {self.dice.choice(WORDS)}"
        pages: list[int] = []
        for place in range(min(PICTURES_PER_ALBUM, self.pictures - number * PICTURES_PER_ALBUM)):
            if place % PHOTOS_PER_PAGE == 0:
                page = len(pages) + 1
                url = f"{BASE}/g/{name}/" + (f"page{page}.html" if page > 1 else "")
                pages.append(self.row(url, title, 1, pages[-1] if pages else parent, page, pages[0] if pages else 0))
            text = f"{self.dice.choice(WORDS)} {self.dice.choice(WORDS)} {place + 1}"
            photo = self.row(f"{BASE}/g/{name}/p{place + 1:04}.html", text, 2, pages[-1])
            self.full(f"{BASE}/g/{name}/full/{self.dice.getrandbits(48):012x}.jpg", text, photo, pages[0])

    def full(self, url: str, text: str, photo: int, album: int) -> None:
        """One full-size picture, with its fate."""
        fate = self.dice.random()
        if fate < 0.005:
            reason = self.dice.choice(list(REASONS))
            self.row(url, text, 3, photo, state=State.error, reason=reason, message=f"it went wrong: {reason}")
        elif fate < 0.015:
            row = self.row(url, text, 3, photo, reason="too-small", message="40 x 30 pixels; at least 100 are wanted")
            self.tables["skip"].append({"node": row, "width": 40, "height": 30, "bytes": 900})
        else:
            row = self.row(url, text, 3, photo)
            self.stored(row, url)
        if fate > 0.98:
            self.tables["repeat"].append(
                {"node": row, "url": url, "parent": album, "layer": 3, "position": 9, "by": "url", "later": 0}
            )

    def stored(self, row: int, url: str) -> None:
        """The facts of a stored picture."""
        sha = f"{self.dice.getrandbits(256):064x}"
        width, height = self.dice.choice([(1600, 1200), (1920, 1080), (900, 1350), (4000, 3000)])
        self.tables["picture"].append({
            "node": row, "file": url.partition("/g/")[2].replace("/full", ""), "file_key": row, "sha256": sha,
            "sha_key": row, "width": width, "height": height, "format": self.dice.choice(["JPEG"] * 8 + ["PNG", "WEBP"]),
            "bytes": int(self.dice.lognormvariate(13, 0.8)), "time": STARTED + row * SECONDS_PER_ROW,
        })

    def row(self, url: str, text: str, layer: int, parent: int, page: int = 1, chain: int = 0, *,
            state: State = State.done, reason: str | None = None, message: str | None = None) -> int:
        """A row of the table of URLs; returns its id."""
        self.last += 1
        self.tables["node"].append({
            "id": self.last, "key": self.last, "url": url, "host": "gallery.example:443", "layer": layer, "page": page,
            "kind": KindCode.picture.value if layer == 3 else KindCode.page.value, "parent": parent, "position": 0,
            "chain": chain or self.last, "rank": self.last, "priority": 0, "state": state.value, "attempts": 1,
            "status": 404 if reason == "http" else 200, "reason": reason, "message": message, "text": text, "run": 1,
            "time": STARTED + self.last * SECONDS_PER_ROW,
        })
        return self.last


WORDS = ("river", "mountain", "harbour", "forest", "winter", "market", "bridge", "island", "desert", "garden", "海岸")


def fill_store(output: Path, pictures: int) -> None:
    """Write the store of a site with so many pictures into *output*; no picture file is written."""
    output.mkdir(parents=True, exist_ok=True)
    site = Site(pictures)
    site.fill()
    store = Store(sqlite_url(output))
    tables = {"node": node, "picture": picture, "skip": skip, "repeat": repeat}
    with store.transaction() as connection:
        for name, table in tables.items():
            for rows in _chunks(site.tables[name]):
                connection.execute(insert(table), rows)
        ended = STARTED + site.last * SECONDS_PER_ROW
        connection.execute(insert(run).values(started=STARTED, ended=ended, reason="finished", config=json.dumps(CONFIG)))
    store.close()


def _chunks(rows: list[dict[str, Any]], size: int = 5000) -> Iterator[list[dict[str, Any]]]:
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


if __name__ == "__main__":
    fill_store(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200_000)
