"""The feed `skips`: what the user's own filters refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from picspider.schema import node, skip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from picspider.feeds.view import View


@dataclass(slots=True)
class SkipRecord:
    """A picture (or, off topic, a page) that a filter refused, and the figures it was judged by."""

    url: str
    parent: str | None
    path: list[str]
    reason: str | None
    message: str | None
    width: int | None
    height: int | None
    bytes: int | None


def records(view: View) -> Iterator[SkipRecord]:
    """Every skipped row, in order of discovery."""
    query = (
        select(node, skip.c.width, skip.c.height, skip.c.bytes)
        .join_from(skip, node, skip.c.node == node.c.id)
        .order_by(node.c.id)
        .execution_options(yield_per=1000)
    )
    for row in view.connection.execute(query):
        yield SkipRecord(
            row.url,
            view.places.of(row.parent).url or None,
            view.places.path_of(row.url, row.parent, row.page, row.chain),
            row.reason,
            row.message,
            row.width,
            row.height,
            row.bytes,
        )
