"""The shape of the site tree in memory: who lies under whom, and what became of all below. Numbers only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from picspider.fates import Fate, fate
from picspider.schema import node, repeat

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from picspider.schema import State


@dataclass(frozen=True, slots=True)
class SiteTree:
    """`rows`: the chosen rows; `children`: row → rows under it (0: the entry pages), next pages under the first of
    their run; `parents`: all rows → the row above.
    """

    rows: set[int]
    parents: dict[int, int]
    children: dict[int, list[int]]
    counts: dict[int, Counter[Fate]]

    @classmethod
    def read(cls, connection: Connection, layer: int | None = None, state: State | None = None) -> SiteTree:
        """All rows down to *layer*, or only those in *state* with the pages that lead to them (None: all)."""
        parents: dict[int, int] = {}
        counts: dict[int, Counter[Fate]] = {}
        wanted: list[int] = []
        columns = (node.c.id, node.c.parent, node.c.chain, node.c.page, node.c.layer, node.c.state, fate())
        query = select(*columns).order_by(node.c.id).execution_options(yield_per=5000)
        for row, parent, chain, page, row_layer, row_state, number in connection.execute(query):
            above = chain if page > 1 and chain != row else parent
            # Rows are older than what was found on them; anything else would be a circle.
            parents[row] = above if above in parents else 0
            if (layer is None or row_layer <= layer) and (state is None or row_state == state.value):
                wanted.append(row)
            _count(counts, parents, parents[row], Fate(number))
        # Repeats that have no row of their own stand on their page.
        repeats = select(repeat.c.parent, func.count()).where(repeat.c.later == 0).group_by(repeat.c.parent)
        for page, number in connection.execute(repeats):
            _count(counts, parents, page, Fate.repeat, number)
        rows = _with_all_above(wanted, parents)
        children: dict[int, list[int]] = {}
        for row in sorted(rows):
            children.setdefault(parents[row], []).append(row)
        return cls(rows, parents, children, counts)

    def walk(self) -> Iterator[tuple[int, int]]:
        """(row, depth) from the entry pages down, children after their parent."""
        stack = [(row, 0) for row in reversed(self.children.get(0, []))]
        while stack:
            row, depth = stack.pop()
            yield row, depth
            stack.extend((child, depth + 1) for child in reversed(self.children.get(row, [])))

    def below(self, row: int) -> dict[Fate, int]:
        """What became of everything below *row*, repeats that stand on it included."""
        return self.counts.get(row, Counter())


def _count(counts: dict[int, Counter[Fate]], parents: dict[int, int], page: int, kind: Fate, number: int = 1) -> None:
    """Add *number* to *page* and all above it."""
    above = page
    while above:
        counts.setdefault(above, Counter())[kind] += number
        above = parents.get(above, 0)


def _with_all_above(wanted: list[int], parents: dict[int, int]) -> set[int]:
    rows: set[int] = set()
    for row in wanted:
        at = row
        while at and at not in rows:
            rows.add(at)
            at = parents[at]
    return rows
