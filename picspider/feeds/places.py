"""Where a row stands in the site: its path from the entry, as a person would click."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, select

from picspider.prepared import Prepared, raw_of
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

    def __init__(self, connection: Connection, capacity: int = 5000) -> None:
        self._connection = connection
        self._capacity = capacity
        self._known: OrderedDict[int, Place] = OrderedDict()
        self._raw: Any = raw_of(connection)
        query = select(node.c.url, node.c.layer, node.c.page, node.c.parent, node.c.chain, node.c.text)
        self._ask = Prepared(query.where(node.c.id == bindparam("row")), ("row",), connection.dialect)

    def of(self, row: int) -> Place:
        """The place of the page *row*; `NOWHERE` for 0 and for rows that are gone."""
        if not row:
            return NOWHERE
        place = self._known.get(row)
        if place is not None:
            self._known.move_to_end(row)
            return place
        found = self._ask.first(self._raw, (row,))
        if found is None:
            return NOWHERE
        url, layer, page, parent, chain, text = found
        if page > 1 and chain != row:
            head = self.of(chain)
            place = Place(row, url, layer, page, (*head.path, url), head.heads)
        else:
            above = self.of(parent)
            place = Place(row, url, layer, page, (*above.path, url), (*above.heads, (url, text)))
        self._known[row] = place
        if len(self._known) > self._capacity:
            self._known.popitem(last=False)
        return place

    def path_of(self, url: str, parent: int, page: int = 1, chain: int = 0) -> list[str]:
        """The path of the sighting of *url* on the page *parent*; of a next page, through the head of its chain."""
        if page > 1 and chain:
            return [*self.of(chain).path, url]
        return [*self.of(parent).path, url]
