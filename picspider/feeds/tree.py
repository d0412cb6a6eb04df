"""The feed `tree`: every URL of the crawl, first sightings only, in order of discovery."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from picspider.schema import KIND_NAMES, State, node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from picspider.feeds.view import View

_STATES = {state.value: state.name for state in State}


@dataclass(slots=True)
class TreeRecord:
    """One node of the site tree (*Mass picture downloader*, 3.1): position, father, URL, and what became of it."""

    id: int
    url: str
    final_url: str | None
    layer: int
    name: str
    kind: str
    parent: int | None
    page: int
    state: str
    reason: str | None
    status: int | None
    text: str


def records(view: View) -> Iterator[TreeRecord]:
    """Every row, by id."""
    columns = (
        node.c.id,
        node.c.url,
        node.c.final_url,
        node.c.layer,
        node.c.kind,
        node.c.parent,
        node.c.page,
        node.c.state,
        node.c.reason,
        node.c.status,
        node.c.text,
    )
    query = select(*columns).order_by(node.c.id).execution_options(yield_per=1000)
    for row, url, final_url, layer, kind, parent, page, state, reason, status, text in view.connection.execute(query):
        yield TreeRecord(
            row,
            url,
            final_url or url,
            layer,
            view.name_of(layer),
            KIND_NAMES[kind],
            parent or None,
            page,
            _STATES[state],
            reason,
            status,
            text,
        )
