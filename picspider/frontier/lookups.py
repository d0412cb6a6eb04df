"""Questions to the store that need an answer at once. They see what the last turn wrote, and what is still pending."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import literal_column, select

from picspider.frontier.outcomes import sha_key
from picspider.schema import State, node, picture

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from picspider.frontier.store import Store
    from picspider.records import Outcome, Sighting


class Lookups:
    """Reads through a connection of its own, so that it never waits for a turn."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._connection: Connection | None = None
        self._names: dict[int, int] = {}
        self._contents: dict[str, int] = {}

    @property
    def connection(self) -> Connection:
        """The reading connection; each statement sees the newest state."""
        if self._connection is None:
            self._connection = self._store.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        return self._connection

    def claim_name(self, file_key: int, row: int) -> bool:
        """Take a file name for *row*; False when another picture has it."""
        holder = self._names.get(file_key)
        if holder is None:
            holder = self.connection.scalar(select(picture.c.node).where(picture.c.file_key == file_key))
        if holder not in (None, row):
            return False
        self._names[file_key] = row
        return True

    def claim_content(self, sha256: str, row: int) -> int | None:
        """The row that already has these bytes; None when *row* is the first, and then they are its own."""
        holder = self._contents.get(sha256)
        if holder is None:
            query = select(picture.c.node).where(picture.c.sha_key == sha_key(sha256), picture.c.sha256 == sha256)
            holder = self.connection.scalar(query.limit(1))
        if holder in (None, row):
            self._contents[sha256] = row
            return None
        return holder

    def sighting_of(self, row: int) -> tuple[str, int, str] | None:
        """(URL, parent row, link text) of *row*."""
        query = select(node.c.url, node.c.parent, node.c.text).where(node.c.id == row)
        found = self.connection.execute(query).first()
        return (found.url, found.parent, found.text) if found is not None else None

    def file_of(self, row: int) -> str | None:
        """The stored file of the picture *row*."""
        return self.connection.scalar(select(picture.c.file).where(picture.c.node == row))

    def release(self, row: int, file_key: int | None, sha256: str | None) -> None:
        """Give claims back: the picture was not stored after all."""
        if file_key is not None and self._names.get(file_key) == row:
            del self._names[file_key]
        if sha256 is not None and self._contents.get(sha256) == row:
            del self._contents[sha256]

    def forget(self, outcomes: dict[int, Outcome]) -> None:
        """Claims whose rows are written now: the table answers for them."""
        for holders in (self._names, self._contents):
            for key in [key for key, row in holders.items() if row in outcomes]:
                del holders[key]  # type: ignore[attr-defined]  # both are dicts of row ids

    def row_of(self, key: int, pending: list[Sighting]) -> int | None:
        """The row with identity *key*; 0 while it is on its way into the table."""
        if any(sighting.key == key for sighting in pending):
            return 0
        return self.connection.scalar(select(node.c.id).where(node.c.key == key))

    def anything_waits(self) -> bool:
        """Whether a row waits in the table."""
        waiting = literal_column(str(State.waiting.value))
        return self.connection.scalar(select(node.c.id).where(node.c.state == waiting).limit(1)) is not None

    def chain_contents(self, row: int, most: int = 2000) -> dict[int, int]:
        """Fingerprints of the link sets of the pages before *row* in its chain → their rows."""
        contents: dict[int, int] = {}
        query = select(node.c.parent, node.c.page, node.c.content)
        while row and most:
            found = self.connection.execute(query.where(node.c.id == row)).first()
            if found is None:
                break
            if found.content is not None:
                contents[found.content] = row
            if found.page == 1:
                break
            row, most = found.parent, most - 1
        return contents

    def close(self) -> None:
        """Release the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
