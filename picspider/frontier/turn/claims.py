"""Which row holds a file name or a content, from before its file is written until the table of pictures says so.

A claim outlives a killed process: a picture whose file was in place but not yet in the table is fetched again, and
gets the same name. That file is removed before: by another config the picture may get another name, or be refused. So
no file is left that no record speaks of.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from sqlalchemy import bindparam, select

from picspider.frontier.turn.outcomes import sha_key
from picspider.output_folder import sidecar_of
from picspider.prepared import Prepared
from picspider.schema import State, node, picture

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from sqlalchemy import Connection, Dialect

    from picspider.frontier.store.store import Store

JOURNAL_LIMIT_BYTES = 1 << 18


class Claims(Protocol):
    """Who holds what. A row that claims what it holds already is told so again."""

    async def name(self, file_key: int, row: int, file: str = "") -> bool:
        """Take a name, that of *file*, for *row*; False when another picture has it."""
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
        self._held: dict[str, Claimed] = {}
        self._journal: Journal | None = None
        path = _journal_of(store)
        if path is not None:
            self._journal = Journal(path)
            unfinished = (State.waiting.value, State.running.value)
            query = Prepared(select(node.c.state).where(node.c.id == bindparam("row")), ("row",), store.engine.dialect)
            for claimed in self._journal.read():
                found = query.first(raw, (claimed.row,))
                if found is not None and found[0] in unfinished:
                    self._held[claimed.what] = claimed
            self._journal.rewrite(self._held.values())

    async def name(self, file_key: int, row: int, file: str = "") -> bool:
        """See `Claims`."""
        what = f"n{file_key}"
        holder = self._held.get(what)
        if holder is None:
            found = self._ask.by_name.first(self._raw, (file_key,))
            if found is not None and found[0] != row:
                return False
            self._take(Claimed(what, row, file))
            return True
        return holder.row == row

    async def content(self, sha256: str, row: int) -> int | None:
        """See `Claims`."""
        holder = self._held.get(sha256)
        if holder is None:
            found = self._ask.by_content.first(self._raw, (sha_key(sha256), sha256))
            if found is not None and found[0] != row:
                return int(found[0])
            self._take(Claimed(sha256, row))
            return None
        return None if holder.row == row else holder.row

    def _take(self, claimed: Claimed) -> None:
        self._held[claimed.what] = claimed
        if self._journal is not None:
            self._journal.add(claimed)

    def release(self, row: int, file_key: int | None, sha256: str | None) -> None:
        """See `Claims`."""
        for what in (f"n{file_key}", sha256):
            if what is not None and what in self._held and self._held[what].row == row:
                del self._held[what]

    def written(self, rows: Collection[int]) -> None:
        """See `Claims`."""
        for what in [what for what, claimed in self._held.items() if claimed.row in rows]:
            del self._held[what]
        if self._journal is not None and self._journal.size_bytes > JOURNAL_LIMIT_BYTES:
            self._journal.rewrite(self._held.values())

    def close(self) -> None:
        """See `Claims`."""
        if self._journal is not None:
            self._journal.close()


def remove_leftovers(store: Store, connection: Connection, pictures: Path) -> None:
    """Remove files in the folder *pictures* that a killed run wrote, and did not come to tell the table of."""
    path = _journal_of(store)
    if path is None or not path.exists():
        return
    for claimed in _read(path):
        if not claimed.file:
            continue
        known = select(picture.c.node).where(picture.c.file_key == int(claimed.what[1:]))
        if connection.scalar(known) is None:
            for left in (pictures / claimed.file, pictures / sidecar_of(claimed.file)):
                left.unlink(missing_ok=True)
            with suppress(OSError):  # not empty
                for folder in PurePosixPath(claimed.file).parents[:-1]:
                    (pictures / folder).rmdir()


def _journal_of(store: Store) -> Path | None:
    return None if store.file is None else store.file.with_name(f"{store.file.name}-claims")


def _read(path: Path) -> list[Claimed]:
    lines = path.read_text(encoding="ascii", errors="replace").splitlines()
    return [claimed for line in lines if (claimed := Claimed.of_line(line)) is not None]


class Claimed(NamedTuple):
    """*row* holds *what*: the name `n…` of *file*, by its key, or a content."""

    what: str
    row: int
    file: str = ""

    @property
    def line(self) -> str:
        """As it stands in the journal."""
        return f"{self.what} {self.row} {json.dumps(self.file)}" if self.file else f"{self.what} {self.row}"

    @classmethod
    def of_line(cls, line: str) -> Claimed | None:
        """The same read; None when the process was killed at writing it."""
        what, _, rest = line.partition(" ")
        row, _, file = rest.partition(" ")
        with suppress(ValueError):
            return cls(what, int(row), json.loads(file or '""'))
        return None


class Journal:
    """A file with a line per claim."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        self.size_bytes = os.fstat(self._descriptor).st_size

    def read(self) -> list[Claimed]:
        """The claims of a run before this one, if it was killed."""
        return _read(self._path)

    def add(self, claimed: Claimed) -> None:
        """Write one claim down before anything is done about it."""
        self.size_bytes += os.write(self._descriptor, f"{claimed.line}\n".encode("ascii"))

    def rewrite(self, held: Iterable[Claimed]) -> None:
        """Keep only *held*."""
        # Written beside and put in place at once: a kill in between leaves one of the two, whole.
        beside = self._path.with_name(f"{self._path.name}.new")
        beside.write_text("".join(f"{claimed.line}\n" for claimed in held), encoding="ascii")
        beside.replace(self._path)
        os.close(self._descriptor)
        self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        self.size_bytes = os.fstat(self._descriptor).st_size

    def close(self) -> None:
        """Nothing is claimed any more."""
        os.close(self._descriptor)
        self._path.unlink(missing_ok=True)
