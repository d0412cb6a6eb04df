"""Which row holds a file name or a content, from before its file is written until the table of pictures says so.

A claim outlives a killed process: a picture whose file was in place but not yet in the table is fetched again, and
gets the same name. So no file is left that no record speaks of.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from sqlalchemy import bindparam, select

from picspider.frontier.outcomes import sha_key
from picspider.prepared import Prepared
from picspider.schema import State, node, picture

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from sqlalchemy import Dialect

    from picspider.frontier.store import Store

JOURNAL_LIMIT_BYTES = 1 << 18


class Claims(Protocol):
    """Who holds what. A row that claims what it holds already is told so again."""

    async def name(self, file_key: int, row: int) -> bool:
        """Take a file name for *row*; False when another picture has it."""
        ...

    async def content(self, sha256: str, row: int) -> int | None:
        """The row that already has these bytes; None when *row* is the first, and then they are its own."""
        ...

    def release(self, row: int, file_key: int | None, sha256: str | None) -> None:
        """Give claims back: the picture was not stored after all."""
        ...

    def written(self, rows: Collection[int]) -> None:
        """The outcomes of *rows* are in the table now, which answers for them."""
        ...

    def close(self) -> None:
        """The run ends; nothing is being stored any more."""
        ...


class Statements:
    """What claims ask, prepared for one dialect."""

    def __init__(self, dialect: Dialect) -> None:
        by_name = select(picture.c.node).where(picture.c.file_key == bindparam("key"))
        self.by_name = Prepared(by_name, ("key",), dialect)
        by_content = select(picture.c.node).where(
            picture.c.sha_key == bindparam("key"), picture.c.sha256 == bindparam("sha256")
        )
        self.by_content = Prepared(by_content, ("key", "sha256"), dialect)


@lru_cache(maxsize=4)
def statements_of(dialect: Dialect) -> Statements:
    """The statements for *dialect*."""
    return Statements(dialect)


class LocalClaims:
    """Claims of the one process that uses this store: in memory, and in a journal beside the store."""

    def __init__(self, store: Store, raw: Any) -> None:
        self._raw = raw
        self._ask = statements_of(store.engine.dialect)
        self._held: dict[str, int] = {}
        self._journal: Journal | None = None
        if store.file is not None:
            self._journal = Journal(store.file.with_name(f"{store.file.name}-claims"))
            unfinished = (State.waiting.value, State.running.value)
            query = Prepared(select(node.c.state).where(node.c.id == bindparam("row")), ("row",), store.engine.dialect)
            for what, row in self._journal.read():
                found = query.first(raw, (row,))
                if found is not None and found[0] in unfinished:
                    self._held[what] = row
            self._journal.rewrite(self._held)

    async def name(self, file_key: int, row: int) -> bool:
        """See `Claims`."""
        what = f"n{file_key}"
        holder = self._held.get(what)
        if holder is None:
            found = self._ask.by_name.first(self._raw, (file_key,))
            if found is not None and found[0] != row:
                return False
            self._take(what, row)
            return True
        return holder == row

    async def content(self, sha256: str, row: int) -> int | None:
        """See `Claims`."""
        holder = self._held.get(sha256)
        if holder is None:
            found = self._ask.by_content.first(self._raw, (sha_key(sha256), sha256))
            if found is not None and found[0] != row:
                return int(found[0])
            self._take(sha256, row)
            return None
        return None if holder == row else holder

    def _take(self, what: str, row: int) -> None:
        self._held[what] = row
        if self._journal is not None:
            self._journal.add(what, row)

    def release(self, row: int, file_key: int | None, sha256: str | None) -> None:
        """See `Claims`."""
        for what in (f"n{file_key}", sha256):
            if what is not None and self._held.get(what) == row:
                del self._held[what]

    def written(self, rows: Collection[int]) -> None:
        """See `Claims`."""
        for what in [what for what, row in self._held.items() if row in rows]:
            del self._held[what]
        if self._journal is not None and self._journal.size_bytes > JOURNAL_LIMIT_BYTES:
            self._journal.rewrite(self._held)

    def close(self) -> None:
        """See `Claims`."""
        if self._journal is not None:
            self._journal.close()


class Journal:
    """A file with a line per claim: what, and the row."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        self.size_bytes = os.fstat(self._descriptor).st_size

    def read(self) -> list[tuple[str, int]]:
        """The claims of a run before this one, if it was killed."""
        lines = self._path.read_text(encoding="ascii", errors="replace").splitlines()
        pairs = [line.partition(" ") for line in lines]
        return [(what, int(row)) for what, _, row in pairs if row.isdigit()]

    def add(self, what: str, row: int) -> None:
        """Write one claim down before anything is done about it."""
        self.size_bytes += os.write(self._descriptor, f"{what} {row}\n".encode("ascii"))

    def rewrite(self, held: dict[str, int]) -> None:
        """Keep only *held*."""
        # Written beside and put in place at once: a kill in between leaves one of the two, whole.
        beside = self._path.with_name(f"{self._path.name}.new")
        beside.write_text("".join(f"{what} {row}\n" for what, row in held.items()), encoding="ascii")
        beside.replace(self._path)
        os.close(self._descriptor)
        self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        self.size_bytes = os.fstat(self._descriptor).st_size

    def close(self) -> None:
        """Nothing is claimed any more."""
        os.close(self._descriptor)
        self._path.unlink(missing_ok=True)
