"""One crawl over many small faults at once, and what became of each URL."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from PIL import Image

from tests.crawls.running import Crawl, picspider_crawl
from tests.wild.raw_server import RawServer

_numbers: Iterator[int] = count(1)


def picture(width: int = 33, height: int = 21, form: str = "PNG", **how: Any) -> bytes:
    """A picture unlike all others of this run; *how*: as Pillow's `save` takes it."""
    number = next(_numbers)
    image = Image.new("RGB", (width, height), (number * 7 % 256, number * 31 % 256, number * 53 % 256))
    for x in range(width):
        image.putpixel((x, number % height), (x * 8 % 256, number // 256, 255 - number % 256))
    file = io.BytesIO()
    image.save(file, form, **how)
    return file.getvalue()


@dataclass(frozen=True)
class Fates:
    """What a crawl says of each URL, the server's address cut off."""

    crawl: Crawl
    fates: dict[str, str]
    files: dict[str, str]

    def stored(self, target: str) -> bytes:
        """The bytes stored for *target*."""
        return (self.crawl.output / "pictures" / self.files[target]).read_bytes()


def crawled(server: RawServer, folder: Path, config: dict[str, Any], *options: str) -> Fates:
    """Run the crawl of *config* (its entry: the server's root unless it names one) and read its feeds."""
    path = folder / "site.yaml"
    path.write_text(json.dumps({"entry": f"{server.url}/", **config}), encoding="utf-8")
    return read(server, picspider_crawl(path, folder / "out", *options))


def read(server: RawServer, crawl: Crawl) -> Fates:
    """The fates in the feeds of *crawl*: `picture`, `repeat`, `skip`, or a failure's reason with its status if http."""
    fates: dict[str, str] = {}
    files: dict[str, str] = {}
    for record in crawl.feed("repeats"):
        fates[record["url"].removeprefix(server.url)] = "repeat"
    for record in crawl.feed("skips"):
        fates[record["url"].removeprefix(server.url)] = f"skip {record['reason']}"
    for record in crawl.feed("failures"):
        status = f" {record['status']}" if record["reason"] == "http" else ""
        fates[record["url"].removeprefix(server.url)] = record["reason"] + status
    for record in crawl.feed("pictures"):
        fates[record["url"].removeprefix(server.url)] = "picture"
        files[record["url"].removeprefix(server.url)] = record["file"]
    return Fates(crawl, fates, files)
