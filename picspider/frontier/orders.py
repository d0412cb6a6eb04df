"""The orders of a crawl: what is fetched before what. A new order is a class here and one line in `ORDERS`.

A row's place is `(priority, rank, id)`: the largest priority first, then the smallest rank, then the oldest row.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from picspider.visit import Note


class Order(Protocol):
    """Gives a sighting its priority and rank; rank 0 stands for the row's own id."""

    def place(self, note: Note) -> tuple[int, int]:
        """(priority, rank) of the sighting described by *note*."""
        ...


class Breadth:
    """Layer by layer, in the order a person reads: a next page comes right after the page it continues.

    *Mass picture downloader*, 3.1: all of layer k before layer k+1.
    """

    def place(self, note: Note) -> tuple[int, int]:
        """See `Order`."""
        return -note.layer, note.chain if note.page > 1 else 0


class Depth:
    """One album down to its pictures before the next: what the newest page gave comes first, in page order.

    *Mass picture downloader*, 3.1: one path at a time, download at the bottom.
    """

    def __init__(self) -> None:
        self._parent = 0
        self._priority = 0

    def place(self, note: Note) -> tuple[int, int]:
        """See `Order`."""
        if note.parent != self._parent or not note.parent:
            self._parent = note.parent
            # The clock orders pages across restarts; a page a millisecond is told apart by counting on.
            self._priority = max(self._priority + 1, int(time.time() * 1000))
        return self._priority, note.position + 1


class Best:
    """The highest score first (*Military-education crawler*)."""

    def place(self, note: Note) -> tuple[int, int]:
        """See `Order`."""
        return note.score, 0


ORDERS: dict[str, type[Order]] = {"breadth": Breadth, "depth": Depth, "best": Best}
