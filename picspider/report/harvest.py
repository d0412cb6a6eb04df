"""The harvest rate of a focused crawl: how many of the pages fetched were relevant, and how that changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import case, func, select

from picspider.schema import IS_DONE, IS_PAGE, node

if TYPE_CHECKING:
    from sqlalchemy import Connection

PIECES = 60


@dataclass(frozen=True, slots=True)
class Harvest:
    """`fetched` and `relevant` pages, all of them and per piece of the crawl: equal numbers of fetches, in order."""

    fetched: int
    relevant: int
    fetched_by_piece: tuple[int, ...]
    relevant_by_piece: tuple[int, ...]

    @property
    def rate(self) -> float:
        """Relevant pages per page fetched."""
        return self.relevant / self.fetched if self.fetched else 0.0


def harvest_of(connection: Connection) -> Harvest | None:
    """The harvest of the crawl behind *connection*; None when no page was judged."""
    judged = (
        IS_PAGE,
        IS_DONE,
        node.c.score.is_not(None),
    )
    total = connection.scalar(select(func.count()).where(*judged)) or 0
    if not total:
        return None
    place = func.row_number().over(order_by=(node.c.time, node.c.id)) - 1
    rows = select(place.label("place"), case((node.c.reason.is_(None), 1), else_=0).label("kept")).where(*judged)
    pages = rows.subquery()
    # A piece of a few pages would jump up and down.
    pieces = min(PIECES, total, max(10, total // 20))
    piece = (pages.c.place * pieces // total).label("piece")
    sums = select(piece, func.count(), func.sum(pages.c.kept)).group_by("piece").order_by("piece")
    counts = [(int(fetched), int(kept)) for _, fetched, kept in connection.execute(sums)]
    fetched, relevant = (tuple(column) for column in zip(*counts, strict=True))
    return Harvest(sum(fetched), sum(relevant), fetched, relevant)
