"""Where a row stands in the site: its path from the entry, as a person would click."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from picspider.schema import node

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class Place:
    """A page: `path` are the URLs from the entry to it; `heads` the (URL, text) of its ancestor in each layer.

    Of each run of next pages the path holds the first and the last used; `heads[k]` is the first page of the run in
    layer k.
    """

    id: int
    url: str
    layer: int
    page: int
    path: tuple[str, ...]
    heads: tuple[tuple[str, str], ...]


NOWHERE = Place(0, "", -1, 1, (), ())


class Places:
    """Places of pages, read from the store when first asked for and kept in a bounded map."""

    def __init__(self, connection: Connection, capacity: int = 20_000) -> None:
        self._connection = connection
        self._capacity = capacity
        self._known: OrderedDict[int, Place] = OrderedDict()
        self._query = select(
            node.c.id, node.c.url, node.c.layer, node.c.page, node.c.parent, node.c.chain, node.c.text
        )

    def of(self, row: int) -> Place:
        """The place of the page *row*; `NOWHERE` for 0 and for rows that are gone."""
        if not row:
            return NOWHERE
        place = self._known.get(row)
        if place is not None:
            self._known.move_to_end(row)
            return place
        found = self._connection.execute(self._query.where(node.c.id == row)).first()
        if found is None:
            return NOWHERE
        if found.page > 1 and found.chain != row:
            head = self.of(found.chain)
            place = Place(row, found.url, found.layer, found.page, (*head.path, found.url), head.heads)
        else:
            above = self.of(found.parent)
            place = Place(
                row, found.url, found.layer, found.page, (*above.path, found.url),
                (*above.heads, (found.url, found.text)),
            )
        self._known[row] = place
        if len(self._known) > self._capacity:
            self._known.popitem(last=False)
        return place

    def path_of(self, url: str, parent: int, page: int = 1, chain: int = 0) -> list[str]:
        """The path of the sighting of *url* on the page *parent*; of a next page, through the head of its chain."""
        if page > 1 and chain:
            return [*self.of(chain).path, url]
        return [*self.of(parent).path, url]
