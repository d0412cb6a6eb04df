"""A store whose rows a test writes itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from picspider.frontier.store.store import Store
from picspider.output_folder import OutputFolder
from picspider.schema import KindCode, State, node, picture, repeat, run, skip

STARTED = 1_750_000_000.0
SECONDS_PER_ROW = 0.004
LAST_LAYER = 3
CONFIG = {
    "entry": ["https://gallery.example/"],
    "layers": [{"links": "/g/", "name": "album"}, {"links": "/p", "name": "photo"}, {"links": "/f", "name": "picture"}],
}


@dataclass
class MadeStore:
    """Rows gather here until `write`."""

    nodes: list[dict[str, Any]] = field(default_factory=list)
    pictures: list[dict[str, Any]] = field(default_factory=list)
    skips: list[dict[str, Any]] = field(default_factory=list)
    repeats: list[dict[str, Any]] = field(default_factory=list)

    def row(self, url: str, text: str, layer: int, parent: int, **columns: Any) -> int:
        """A row of the table of URLs, done unless *columns* say otherwise; returns its id."""
        row = len(self.nodes) + 1
        self.nodes.append(
            {
                "id": row,
                "key": row,
                "url": url,
                "final_url": None,
                "host": "gallery.example:443",
                "layer": layer,
                "page": 1,
                "kind": KindCode.picture.value if layer == LAST_LAYER else KindCode.page.value,
                "parent": parent,
                "position": 0,
                "chain": row,
                "rank": row,
                "priority": 0,
                "state": State.done.value,
                "attempts": 1,
                "status": 200,
                "reason": None,
                "message": None,
                "text": text,
                "run": 1,
                "time": STARTED + row * SECONDS_PER_ROW,
                **columns,
            }
        )
        return row

    def failure(self, url: str, text: str, parent: int, reason: str, message: str, **columns: Any) -> int:
        """A picture that could not be had."""
        return self.row(
            url, text, LAST_LAYER, parent, state=State.error.value, reason=reason, message=message, **columns
        )

    def skipped(self, url: str, text: str, parent: int) -> int:
        """A picture that a filter refused."""
        row = self.row(url, text, LAST_LAYER, parent, reason="too-small", message="40 x 30 pixels")
        self.skips.append({"node": row, "width": 40, "height": 30, "bytes": 900})
        return row

    def stored(self, url: str, text: str, parent: int, file: str, **facts: Any) -> int:
        """A picture that was stored; no file is written."""
        row = self.row(url, text, LAST_LAYER, parent)
        self.pictures.append(
            {
                "node": row,
                "file": file,
                "file_key": row,
                "sha256": f"{row:064x}",
                "sha_key": row,
                "width": 640,
                "height": 420,
                "format": "JPEG",
                "bytes": 12_000,
                "time": STARTED + row * SECONDS_PER_ROW,
                **facts,
            }
        )
        return row

    def repeated(self, first: int, url: str, parent: int, layer: int = LAST_LAYER) -> None:
        """A later sighting by URL."""
        self.repeats.append(
            {
                "node": first,
                "url": url,
                "parent": parent,
                "layer": layer,
                "page": 1,
                "position": 9,
                "by": "url",
                "later": 0,
            }
        )

    def write(self, output: Path) -> Path:
        """Write the store into *output* and return that."""
        output.mkdir(parents=True, exist_ok=True)
        store = Store(OutputFolder(output).store_url)
        tables = ((node, self.nodes), (picture, self.pictures), (skip, self.skips), (repeat, self.repeats))
        with store.transaction() as connection:
            for table, rows in tables:
                for some in _chunks(rows):
                    connection.execute(insert(table), some)
            ended = STARTED + len(self.nodes) * SECONDS_PER_ROW
            one_run = {"started": STARTED, "ended": ended, "reason": "finished", "config": json.dumps(CONFIG)}
            connection.execute(insert(run).values(**one_run))
        store.close()
        return output


def _chunks(rows: list[dict[str, Any]], size: int = 5000) -> Iterator[list[dict[str, Any]]]:
    for start in range(0, len(rows), size):
        yield rows[start : start + size]
