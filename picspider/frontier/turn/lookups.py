"""Questions to the store that need an answer at once. They see what the last turn wrote, and what is still pending."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, select

from picspider.frontier.store.steady_connection import SteadyConnection
from picspider.frontier.turn.claims import Claims, LocalClaims
from picspider.frontier.turn.gathered import Gathered
from picspider.frontier.turn.shared_claims import SharedClaims
from picspider.places import Places
from picspider.prepared import Prepared, raw_of
from picspider.records import ChainPage
from picspider.schema import IS_WAITING, KindCode, alias, node, picture

if TYPE_CHECKING:
    from sqlalchemy import Connection, Dialect

    from picspider.frontier.store.store import Store
    from picspider.frontier.turn.batch import Batch

PLACES_KEPT = 2000


class Statements:
    """What is looked up, prepared for one dialect."""

    def __init__(self, dialect: Dialect) -> None:
        by_id = node.c.id == bindparam("row")
        self.sighting = Prepared(select(node.c.url, node.c.parent, node.c.text).where(by_id), ("row",), dialect)
        file = select(picture.c.file).where(picture.c.node == bindparam("row"))
        self.file = Prepared(file, ("row",), dialect)
        self.row = Prepared(select(node.c.id).where(node.c.key == bindparam("key")), ("key",), dialect)
        self.moved = Prepared(select(alias.c.node).where(alias.c.key == bindparam("key")), ("key",), dialect)
        chain = select(node.c.parent, node.c.page, node.c.content).where(by_id)
        self.chain = Prepared(chain, ("row",), dialect)
        waits = select(node.c.id).where(IS_WAITING, node.c.kind == bindparam("kind")).limit(1)
        self.waits = Prepared(waits, ("kind",), dialect)


@lru_cache(maxsize=4)
def statements_of(dialect: Dialect) -> Statements:
    """The statements for *dialect*."""
    return Statements(dialect)


class Lookups:
    """Reads outside transactions; on a shared store through a connection of its own."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._steady = SteadyConnection(store.engine) if store.shared else None
        self._raw: Any = self._steady or raw_of(store.connection)
        self._ask = statements_of(store.engine.dialect)
        self.claims: Claims = SharedClaims(store, self._raw) if store.shared else LocalClaims(store, self._raw)
        self.claim_name = self.claims.name
        self.claim_content = self.claims.content
        self.release = self.claims.release
        self.places = Places(self.connection, PLACES_KEPT, self._raw)
        self._read_places = Gathered(self.places.read)

    @property
    def connection(self) -> Connection:
        """The one that is asked."""
        return self._steady.connection if self._steady is not None else self._store.connection

    async def ready_place(self, row: int) -> None:
        """Have the place of the page *row* at hand in `places`, without keeping the loop waiting."""
        if self._store.shared and row not in self.places:
            await self._read_places.ask(row)

    def sighting_of(self, row: int) -> tuple[str, int, str] | None:
        """(URL, parent row, link text) of *row*."""
        found = self._ask.sighting.first(self._raw, (row,))
        return tuple(found) if found is not None else None

    def file_of(self, row: int) -> str | None:
        """The stored file of the picture *row*."""
        found = self._ask.file.first(self._raw, (row,))
        return found[0] if found is not None else None

    def row_of(self, key: int, pending: Batch) -> int | None:
        """The row with identity *key*, or whose redirect led there; 0 while it is on its way into the table."""
        if key in pending.aliases:
            return pending.aliases[key]
        if any(sighting.key == key for sighting in pending.sightings):
            return 0
        found = self._ask.row.first(self._raw, (key,)) or self._ask.moved.first(self._raw, (key,))
        return found[0] if found is not None else None

    def anything_waits(self, *, pages: bool = True, pictures: bool = True) -> bool:
        """Whether a row of these kinds waits in the table."""
        kinds = [KindCode.page.value] * pages + [KindCode.picture.value] * pictures
        return any(self._ask.waits.first(self._raw, (kind,)) is not None for kind in kinds)

    def chain_page(self, row: int) -> ChainPage | None:
        """The page *row* of a chain of next pages; None when there is no such row."""
        found = self._ask.chain.first(self._raw, (row,))
        if found is None:
            return None
        parent, page, content = found
        return ChainPage(parent if page > 1 else 0, content)

    def close(self) -> None:
        """The run ends."""
        self.claims.close()
        if self._steady is not None:
            self._steady.close()
