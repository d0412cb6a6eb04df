"""The feed `failures`: everything that could not be had, with its place in the site and what was tried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from picspider.feeds.view import iso_time
from picspider.schema import IS_ERROR, KIND_NAMES, node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from picspider.feeds.view import View


@dataclass(slots=True)
class FailureRecord:
    """A page or picture that could not be had; `reason` is a key of `picspider.failures.REASONS`."""

    url: str
    layer: int
    kind: str
    parent: str | None
    path: list[str]
    reason: str | None
    message: str | None
    status: int | None
    attempts: int
    time: str | None


def records(view: View) -> Iterator[FailureRecord]:
    """Every row in state error, in order of discovery."""
    query = select(node).where(IS_ERROR).order_by(node.c.id).execution_options(yield_per=1000)
    for row in view.connection.execute(query):
        yield FailureRecord(
            row.url,
            row.layer,
            KIND_NAMES[row.kind],
            view.places.of(row.parent).url or None,
            view.places.path_of(row.url, row.parent, row.page, row.chain),
            row.reason,
            row.message,
            row.status,
            row.attempts,
            iso_time(row.time),
        )
