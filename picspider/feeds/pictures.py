"""The feed `pictures`: every stored picture with its facts and its path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from picspider.feeds.view import iso_time
from picspider.schema import node, picture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from picspider.feeds.view import View


@dataclass(slots=True)
class PictureRecord:
    """A stored picture. `file` is relative to OUTPUT/pictures; `parent` the URL of the page it was found on."""

    url: str
    file: str
    sha256: str
    width: int
    height: int
    format: str
    bytes: int
    layer: int
    parent: str | None
    path: list[str]
    text: str
    time: str | None


def records(view: View) -> Iterator[PictureRecord]:
    """Every stored picture, in order of discovery."""
    query = (
        select(picture, node.c.url, node.c.layer, node.c.parent, node.c.text)
        .join_from(node, picture, picture.c.node == node.c.id)
        .order_by(node.c.id)
        .execution_options(yield_per=1000)
    )
    for row in view.with_places(query, lambda row: (row.parent,)):
        place = view.places.of(row.parent)
        yield PictureRecord(
            row.url,
            row.file,
            row.sha256,
            row.width,
            row.height,
            row.format,
            row.bytes,
            row.layer,
            place.url or None,
            [*place.path, row.url],
            row.text,
            iso_time(row.time),
        )
