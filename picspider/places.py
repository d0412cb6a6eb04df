"""Where a row stands in the site: its path from the entry, as a person would click."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, select

from picspider.prepared import Prepared, as_list, one_of, raw_of
from picspider.schema import node

if TYPE_CHECKING:
    from collections.abc import Sequence

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

    def __init__(self, connection: Connection, capacity: int = 5000, raw: Any = None) -> None:
        # `raw` executes in place of the driver's own connection.
        self._dialect = connection.dialect
        self._capacity = capacity
        self._known: OrderedDict[int, Place] = OrderedDict()
        self._raw: Any = raw or raw_of(connection)
        query = select(node.c.url, node.c.layer, node.c.page, node.c.parent, node.c.chain, node.c.text)
        self._ask = Prepared(query.where(node.c.id == bindparam("row")), ("row",), connection.dialect)
        several = query.add_columns(node.c.id).where(one_of(node.c.id, "rows", connection.dialect))
        self._ask_several = Prepared(several, ("rows",), connection.dialect)

    def __contains__(self, row: int) -> bool:
        """Whether the place of *row* is at hand."""
        return row in self._known

    def forget(self) -> None:
        """Pages stand elsewhere now."""
        self._known.clear()

    def of(self, row: int) -> Place:
        """The place of the page *row*; `NOWHERE` for 0 and for rows that are gone."""
        return self._of(row, {})

    def read(self, rows: Sequence[int]) -> list[Place]:
        """The places of *rows*, with a query for each step up instead of one for each page."""
        found: dict[int, Any] = {}
        wanted = {row for row in rows if row not in self._known}
        while wanted:
            values = self._ask_several.bind((as_list(wanted, self._dialect),))
            above = {row: facts for *facts, row in self._raw.execute(self._ask_several.sql, values)}
            found.update(above)
            wanted = {_above(row, facts) for row, facts in above.items()} - found.keys() - self._known.keys() - {0}
        return [self._of(row, found) for row in rows]

    def _of(self, row: int, read: dict[int, Any]) -> Place:
        passed: list[tuple[int, Any]] = []
        at, place = row, NOWHERE
        # Not recursive: a crawl by topic may be many clicks deep.
        while at:
            known = self._known.pop(at, None)
            if known is not None:
                self._known[at] = place = known  # the last to be forgotten
                break
            found = read.get(at) or self._ask.first(self._raw, (at,))
            if found is None:
                break
            passed.append((at, found))
            at = _above(at, found)
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


def _above(row: int, found: Any) -> int:
    """The head of the chain of next pages that *row* is in; of a head, its parent."""
    _, _, page, parent, chain, _ = found
    return int(chain if page > 1 and chain != row else parent)
