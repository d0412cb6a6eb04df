"""A store filled as a crawl of a large site leaves it: `python -m tests.report.large OUTPUT [PICTURES]`."""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field
from pathlib import Path

from picspider.failures import REASONS
from tests.report.made_store import MadeStore

BASE = "https://gallery.example"
PICTURES_PER_ALBUM, PHOTOS_PER_PAGE, ALBUMS_PER_LIST = 200, 50, 50
WORDS = ("river", "mountain", "harbour", "forest", "winter", "market", "bridge", "island", "desert", "garden", "海岸")
SIZES = ((1600, 1200), (1920, 1080), (900, 1350), (4000, 3000))


@dataclass
class LargeSite:
    """List pages → albums with next pages → photo pages → pictures, with a few mishaps of every kind."""

    pictures: int
    made: MadeStore = field(default_factory=MadeStore)
    dice: random.Random = field(default_factory=lambda: random.Random(7))

    def fill(self) -> MadeStore:
        """Lay out every list, album, photo page and picture."""
        lists: list[int] = []
        for number in range(-(-self.pictures // PICTURES_PER_ALBUM)):
            if number % ALBUMS_PER_LIST == 0:
                url = f"{BASE}/list/{len(lists) + 1}.html" if lists else f"{BASE}/"
                lists.append(self._page(lists, url, "", 0))
            self._album(number, lists[-1])
        return self.made

    def _page(self, run: list[int], url: str, text: str, parent: int) -> int:
        """One more page of a *run* of next pages; *parent* is that of the first."""
        layer = 1 if text else 0
        if run:
            return self.made.row(url, text, layer, run[-1], page=len(run) + 1, chain=run[0])
        return self.made.row(url, text, layer, parent)

    def _album(self, number: int, parent: int) -> None:
        album = f"{BASE}/g/{self.dice.getrandbits(40):x}/"
        title = f"Album {number + 1} of {self.dice.choice(WORDS)}"
        pages: list[int] = []
        for place in range(min(PICTURES_PER_ALBUM, self.pictures - number * PICTURES_PER_ALBUM)):
            if place % PHOTOS_PER_PAGE == 0:
                url = f"{album}page{len(pages) + 1}.html" if pages else album
                pages.append(self._page(pages, url, title, parent))
            text = f"{self.dice.choice(WORDS)} {self.dice.choice(WORDS)} {place + 1}"
            photo = self.made.row(f"{album}p{place + 1:04}.html", text, 2, pages[-1])
            self._picture(f"{album}full/{self.dice.getrandbits(48):012x}.jpg", text, photo, pages[0])

    def _picture(self, url: str, text: str, photo: int, album: int) -> None:
        fate = self.dice.random()
        if fate < 0.005:
            reason = self.dice.choice(list(REASONS))
            self.made.failure(url, text, photo, reason, f"it went wrong: {reason}", status=404)
        elif fate < 0.015:
            self.made.skipped(url, text, photo)
        else:
            width, height = self.dice.choice(SIZES)
            row = self.made.stored(
                url,
                text,
                photo,
                url.removeprefix(f"{BASE}/g/").replace("/full", ""),
                width=width,
                height=height,
                sha256=f"{self.dice.getrandbits(256):064x}",
                bytes=int(self.dice.lognormvariate(13, 0.8)),
                format=self.dice.choice(["JPEG"] * 8 + ["PNG", "WEBP"]),
            )
            if fate > 0.98:
                self.made.repeated(row, url, album)


if __name__ == "__main__":
    LargeSite(int(sys.argv[2]) if len(sys.argv) > 2 else 200_000).fill().write(Path(sys.argv[1]))
