"""Claims of several workers, in a table of the shared store."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, select

from picspider.frontier.store.bulk import Bulk, insert_new
from picspider.frontier.turn.gathered import Gathered
from picspider.frontier.turn.outcomes import sha_key
from picspider.prepared import Prepared, one_of
from picspider.schema import claim, picture

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import Dialect

    from picspider.frontier.store.store import Store


@dataclass(frozen=True, slots=True)
class Wish:
    """*row* wants *what*: a name with this `file_key`, or else the content `sha256`."""

    what: str
    row: int
    file_key: int | None = None
    sha256: str = ""


class Statements:
    """What shared claims ask, prepared for one dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self.take = insert_new(claim, ("what", "node"), dialect, claim.c.what, claim.c.node)
        holders = select(claim.c.what, claim.c.node).where(one_of(claim.c.what, "whats", dialect))
        self.holders = Prepared(holders, ("whats",), dialect)
        names = select(picture.c.file_key, picture.c.node).where(one_of(picture.c.file_key, "keys", dialect))
        self.names = Prepared(names, ("keys",), dialect)
        contents = select(picture.c.sha256, picture.c.node).where(one_of(picture.c.sha_key, "keys", dialect))
        self.contents = Prepared(contents, ("keys",), dialect)
        drop = claim.delete().where(claim.c.what == bindparam("what"), claim.c.node == bindparam("row"))
        self.drop = Prepared(drop, ("what", "row"), dialect)


@lru_cache(maxsize=4)
def statements_of(dialect: Dialect) -> Statements:
    """The statements for *dialect*."""
    return Statements(dialect)


class SharedClaims:
    """See `picspider.frontier.turn.claims.Claims`. Asked from a thread, many at a time: the loop never waits."""

    def __init__(self, store: Store, raw: Any) -> None:
        self._raw = raw
        self._ask = statements_of(store.engine.dialect)
        self._gathered = Gathered(self._holders)

    async def name(self, file_key: int, row: int, file: str = "") -> bool:
        """See `Claims`."""
        return await self._gathered.ask(Wish(f"n{file_key}", row, file_key)) == row

    async def content(self, sha256: str, row: int) -> int | None:
        """See `Claims`."""
        holder = await self._gathered.ask(Wish(sha256, row, sha256=sha256))
        return None if holder == row else holder

    def _holders(self, wishes: Sequence[Wish]) -> list[int]:
        # First the claims, then the table of pictures: a claim goes only after its picture is in that table.
        holders = self._claimed(wishes)
        won = [wish for wish in wishes if holders[wish.what] == wish.row]
        stored = self._stored(won)
        for wish in won:
            if stored.get(wish.what, wish.row) != wish.row:
                self._drop(wish.what, wish.row)
        return [stored.get(wish.what, holders[wish.what]) for wish in wishes]

    def _claimed(self, wishes: Sequence[Wish]) -> dict[str, int]:
        """Who holds what is wished for, after all that was free has been taken."""
        take = self._ask.take
        assert isinstance(take, Bulk), "a store that is shared is PostgreSQL"
        holders: dict[str, int] = {}
        # Again, when another worker has given back what it held between the two statements.
        while left := sorted((wish.what, wish.row) for wish in wishes if wish.what not in holders):
            # Every worker in the same order, so that two of them never wait for each other.
            holders.update(take.returned(self._raw, left))
            taken = [what for what, _ in left if what not in holders]
            if taken:
                holders.update(self._raw.execute(self._ask.holders.sql, (taken,)))
        return holders

    def _stored(self, wishes: Sequence[Wish]) -> dict[str, int]:
        """What of it is in the table of pictures, and whose it is there."""
        names = [wish.file_key for wish in wishes if wish.file_key is not None]
        contents = [sha_key(wish.sha256) for wish in wishes if wish.sha256]
        found: dict[str, int] = {}
        if names:
            rows = self._raw.execute(self._ask.names.sql, (names,))
            found.update({f"n{key}": row for key, row in rows})
        if contents:
            found.update(self._raw.execute(self._ask.contents.sql, (contents,)))
        return found

    def _drop(self, what: str, row: int) -> None:
        self._raw.execute(self._ask.drop.sql, self._ask.drop.bind((what, row)))

    def release(self, row: int, file_key: int | None, sha256: str | None) -> None:
        """See `Claims`."""
        if file_key is not None:
            self._drop(f"n{file_key}", row)
        if sha256 is not None:
            self._drop(sha256, row)

    def written(self, rows: Collection[int]) -> None:
        """See `Claims`: the turn that wrote them has removed them."""

    def close(self) -> None:
        """See `Claims`."""
