"""The feed `repeats`: pairs of an earlier and a later sighting, each with its place.

The thesis' *victim* and *follower* (*Mass picture downloader*, 3.2.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from picspider.schema import node, picture, repeat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from picspider.feeds.view import View


@dataclass(slots=True)
class RepeatRecord:
    """`url` is the later sighting as written; `original` and `repeat` are places; `sha256` only by content."""

    url: str
    by: str
    original: dict[str, Any]
    repeat: dict[str, Any]
    sha256: str | None


def records(view: View) -> Iterator[RepeatRecord]:
    """Every pair, in the order it was noted."""
    query = (
        select(
            repeat,
            node.c.url.label("first_url"),
            node.c.parent.label("first_parent"),
            node.c.layer.label("first_layer"),
            node.c.page.label("first_page"),  # a repeat has a page, too
            node.c.chain,
            picture.c.file,
        )
        .join_from(repeat, node, repeat.c.node == node.c.id)
        .outerjoin(picture, picture.c.node == node.c.id)
        .order_by(repeat.c.id)
        .execution_options(yield_per=1000)
    )
    for row in view.with_places(query, lambda row: (row.parent, row.first_parent)):
        later = view.places.of(row.parent)
        yield RepeatRecord(
            url=row.url,
            by=row.by,
            original={
                "url": row.first_url,
                "parent": view.places.of(row.first_parent).url or None,
                "path": view.places.path_of(row.first_url, row.first_parent, row.first_page, row.chain),
                "layer": row.first_layer,
                "file": row.file,
            },
            repeat={"parent": later.url or None, "path": [*later.path, row.url], "layer": row.layer},
            sha256=row.sha256,
        )
