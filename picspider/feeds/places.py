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
        passed: list[tuple[int, Any]] = []
        at = row
        # Not recursive: a crawl by topic may be many clicks deep.
        while at and at not in self._known and (found := self._ask.first(self._raw, (at,))) is not None:
            passed.append((at, found))
            _, _, page, parent, chain, _ = found
            at = chain if page > 1 and chain != at else parent
        place = self._known.get(at, NOWHERE)
        if place is not NOWHERE:
            self._known.move_to_end(at)
        for below, found in reversed(passed):
            place = self._below(place, below, found)
        return place

    def _below(self, above: Place, row: int, found: Any) -> Place:
        """The place of *row* below that of the head of its chain, or of its parent."""
        url, layer, page, _, chain, text = found
        heads = above.heads if page > 1 and chain != row else (*above.heads, (url, text))
        place = Place(row, url, layer, page, (*above.path, url), heads)
        self._known[row] = place
        if len(self._known) > self._capacity:
            self._known.popitem(last=False)
        return place

    def path_of(self, url: str, parent: int, page: int = 1, chain: int = 0) -> list[str]:
        """The path of the sighting of *url* on the page *parent*; of a next page, through the head of its chain."""
        if page > 1 and chain:
            return [*self.of(chain).path, url]
        return [*self.of(parent).path, url]
