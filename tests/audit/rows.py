"""A crawl's store, written row by row."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, create_engine, insert

from picspider import audit
from picspider.config.urls import Urls
from picspider.records import Suspect
from picspider.schema import KindCode, State, metadata, node, repeat, run
from picspider.urls import key_of

BASE = "https://gallery.example"
LAYERS = ({"links": "/album/", "name": "album"}, {"links": "/full/", "name": "picture"})
WITH_PHOTO_PAGES = (LAYERS[0], {"links": "/photo/", "name": "photo"}, LAYERS[1])


@dataclass
class Rows:
    """The rows of a crawl; `layers`, `limits` and `urls` are those of its config."""

    layers: tuple[dict[str, str], ...] = LAYERS
    limits: dict[str, int] = field(default_factory=dict)
    urls: dict[str, Any] = field(default_factory=dict)
    nodes: list[dict[str, Any]] = field(default_factory=list)
    repeats: list[dict[str, Any]] = field(default_factory=list)

    def add(self, path: str, layer: int, parent: int = 0, **columns: Any) -> int:
        """One URL; returns its row."""
        row, url = len(self.nodes) + 1, BASE + path
        picture = layer == len(self.layers)
        key = key_of(url, "picture" if picture else "page", Urls(**self.urls).rules)
        values = {
            "id": row, "key": key, "url": url, "host": "gallery.example:443", "layer": layer,
            "page": 1, "kind": KindCode[("page", "picture")[picture]].value, "parent": parent, "position": row,
            "chain": row, "rank": row, "priority": 0, "state": State.done.value, "attempts": 1, "text": "", "run": 1,
            "links": None if picture else 0,
        }  # fmt: skip
        self.nodes.append({"stated": None, "reason": None, **values, **columns})
        self.row(parent)["links"] += 1 if values["page"] == columns.get("page", 1) else 0
        return row

    def row(self, number: int) -> dict[str, Any]:
        """The values of a row; row 0 is nobody's."""
        return self.nodes[number - 1] if number else {"links": 0}

    def again(self, first: int, parent: int) -> None:
        """A repeat: *parent* links the row *first*, too."""
        seen = self.row(first)
        self.row(parent)["links"] += 1
        self.repeats.append(
            {"node": first, "url": seen["url"], "parent": parent, "layer": seen["layer"], "position": 1, "by": "url"}
        )

    def album(self, name: str, files: Iterable[str], entry: int = 1, **columns: Any) -> int:
        """An album with pictures of these file names; returns its row."""
        row = self.add(f"/album/{name}/", 1, entry, **columns)
        for file in files:
            self.add(f"/full/{name}/{file}", 2, row)
        return row

    @contextmanager
    def stored(self) -> Iterator[Connection]:
        """A database with these rows."""
        engine = create_engine("sqlite://")
        with engine.connect() as connection:
            metadata.create_all(connection)
            config = json.dumps({"layers": self.layers, "limits": self.limits, "urls": self.urls})
            connection.execute(insert(run).values(started=0.0, config=config))
            connection.execute(insert(node), self.nodes)
            if self.repeats:
                connection.execute(insert(repeat), self.repeats)
            yield connection
        engine.dispose()

    def suspects(self, kind: str | None = None) -> list[Suspect]:
        """What the audit says, or one of its checks."""
        with self.stored() as connection:
            return [suspect for suspect in audit.suspects(connection) if kind in (None, suspect.kind)]


def numbered(last: int, *without: int, form: str = "{:03}.jpg") -> list[str]:
    """File names from 1 to *last*."""
    return [form.format(number) for number in range(1, last + 1) if number not in without]


def site(**options: Any) -> Rows:
    """A crawl with an entry page so far."""
    rows = Rows(**options)
    rows.add("/", 0)
    return rows
