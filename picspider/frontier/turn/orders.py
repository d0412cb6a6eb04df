"""The orders of a crawl: what is fetched before what. A new order is a class here and one line in `ORDERS`.

A row's place is `(priority, rank, id)`: the largest priority first, then the smallest rank, then the oldest row.
With one request at a time every order is exact; with more, as many rows as are under way may be out of turn.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Protocol

from sqlalchemy import case, func, select

from picspider.schema import IS_WAITING, node

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import ColumnElement, Connection

    from picspider.frontier.store.store import Store
    from picspider.visit import Note


class Order(Protocol):
    """Gives a sighting its priority and rank; rank 0 stands for the row's own id.

    `layerwise`: rows taken out early are hardly ever overtaken by newer ones, so many can be taken at once.
    `lifts`: a row that is sighted again takes the higher of its priorities. `replaced` are (priority, rank) for rows
    that another order had placed.
    """

    layerwise: bool
    lifts: bool
    replaced: tuple[ColumnElement[Any], ColumnElement[Any]]

    def begin(self, connection: Connection) -> None:
        """Called once before the first sighting."""
        ...

    def place(self, note: Note) -> tuple[int, int]:
        """(priority, rank) of the sighting described by *note*."""
        ...


class Breadth:
    """Layer by layer, in the order a person reads: a next page comes right after the page it continues.

    *Mass picture downloader*, 3.1: all of layer k before layer k+1, and of a page first its links, then "go on with
    the next page as of the same layer".
    """

    layerwise = True
    lifts = False
    replaced: tuple[ColumnElement[Any], ColumnElement[Any]] = (
        -node.c.layer,
        case((node.c.page > 1, node.c.chain), else_=node.c.id),
    )

    def begin(self, connection: Connection) -> None:
        """See `Order`."""

    def place(self, note: Note) -> tuple[int, int]:
        """See `Order`."""
        return -note.layer, note.chain if note.page > 1 else 0


class Depth:
    """One album down to its pictures before the next: what the newest page gave comes first, in page order.

    *Mass picture downloader*, 3.1: one path at a time, download at the bottom.
    """

    layerwise = False
    lifts = False
    replaced: tuple[ColumnElement[Any], ColumnElement[Any]] = (
        node.c.layer,
        case((node.c.page > 1, node.c.chain), else_=node.c.id),
    )

    def __init__(self) -> None:
        self._parent = 0
        self._priority = 0

    def begin(self, connection: Connection) -> None:
        """See `Order`."""
        self._priority = connection.scalar(select(func.max(node.c.priority)).where(IS_WAITING)) or 0

    def place(self, note: Note) -> tuple[int, int]:
        """See `Order`."""
        if note.parent != self._parent or not note.parent:
            self._parent = note.parent
            # The clock tells the pages of several workers apart; a page a millisecond is told apart by counting on.
            # Entry pages all come after what was found below the ones before them.
            self._priority = max(self._priority + 1, int(time.time() * 1000)) if note.parent else self._priority
        return (self._priority if note.parent else -note.position), note.position + 1


class Best:
    """The highest score first (*Military-education crawler*)."""

    layerwise = False
    lifts = True
    replaced: tuple[ColumnElement[Any], ColumnElement[Any]] = (func.coalesce(node.c.score, 0), node.c.id)

    def begin(self, connection: Connection) -> None:
        """See `Order`."""

    def place(self, note: Note) -> tuple[int, int]:
        """See `Order`."""
        return note.priority, 0


ORDERS: dict[str, Callable[[], Order]] = {"breadth": Breadth, "depth": Depth, "best": Best}
ORDER_KEY = "order"


def order_of(name: str, store: Store) -> Order:
    """The order *name*, by which the rows that wait in *store* are placed from now on."""
    placed_by = store.get_meta(ORDER_KEY)
    with store.transaction() as connection:
        order = begin_order(name, connection, placed_by)
    if placed_by != name:
        store.set_meta(ORDER_KEY, name)
    return order


def begin_order(name: str, connection: Connection, placed_by: str | None) -> Order:
    """The order *name*, ready to go on with a store whose rows were placed by the order *placed_by* (None: none)."""
    order = ORDERS[name]()
    if placed_by not in (None, name):
        priority, rank = order.replaced
        connection.execute(node.update().where(IS_WAITING).values(priority=priority, rank=rank))
    order.begin(connection)
    return order
