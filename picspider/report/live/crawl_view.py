"""The crawl as the live page asks for it: counted only when the store has changed, and never twice at once."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import select, text

from picspider.audit import suspects
from picspider.report.archive import deflated
from picspider.report.html import all_blocks
from picspider.report.summary import summary_of
from picspider.report.thumbnails import FOLDER, make_thumbnail, path_of
from picspider.schema import node, picture

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection, Engine

LEAST_SECONDS = 0.9
TIMES_COST = 20.0


@dataclass(frozen=True, slots=True)
class Look:
    """`version` changes when the rows have."""

    summary: dict[str, Any]
    suspects: list[dict[str, Any]]
    running: bool
    version: str


class CrawlView:
    """Reads the store in threads, one at a time. *is_running* says, through a connection, whether a crawl goes on."""

    def __init__(self, engine: Engine, output: Path, is_running: Callable[[Connection], bool]) -> None:
        self.output = output
        self._engine = engine
        self._is_running = is_running
        self._lock = asyncio.Lock()
        self._watch: Connection | None = None
        self._seen: Any = None
        self._look: Look | None = None
        self._due = 0.0
        self._rows: tuple[str, bytes] = ("", b"")

    async def look(self) -> Look:
        """The crawl as it stands, at most a second old (older when counting takes long)."""
        async with self._lock:
            if self._look is None or time.monotonic() >= self._due:
                self._look = await asyncio.to_thread(self._count)
            return self._look

    async def rows(self) -> bytes:
        """Every row, deflated; see `picspider.report.nodes`."""
        version = (await self.look()).version
        async with self._lock:
            if self._rows[0] != version:
                self._rows = (version, await asyncio.to_thread(self._read_rows))
            return self._rows[1]

    async def thumbnail(self, name: str) -> Path | None:
        """The thumbnail *name* (16 hexadecimal digits of a SHA-256), made when it is asked for the first time."""
        path = path_of(self.output, name)
        if path.exists():
            return path
        async with self._lock:
            return await asyncio.to_thread(self._make_thumbnail, name)

    async def url_of(self, row: int) -> str | None:
        """The URL of a row."""
        async with self._lock:
            return await asyncio.to_thread(self._url_of, row)

    def close(self) -> None:
        """Release the database."""
        if self._watch is not None:
            self._watch.close()

    def _count(self) -> Look:
        seen = self._data_version()
        started = time.monotonic()
        with self._engine.connect() as connection:
            running = self._is_running(connection)
            unchanged = seen is not None and seen == self._seen
            if self._look is not None and unchanged and self._look.running == running:
                summary, found, version = self._look.summary, self._look.suspects, self._look.version
            else:
                summary = summary_of(connection).to_dict()
                # While pages are still to come, most would look incomplete.
                found = [] if running else [asdict(suspect) for suspect in suspects(connection)]
                version = _digest({name: value for name, value in summary.items() if name != "made"})
        self._seen = seen
        self._due = time.monotonic() + max(LEAST_SECONDS, TIMES_COST * (time.monotonic() - started))
        return Look(summary, found, running, version)

    def _data_version(self) -> Any:
        """A number that SQLite changes with every commit of another connection; None elsewhere."""
        if self._engine.dialect.name != "sqlite":
            return None
        if self._watch is None:
            self._watch = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        return self._watch.scalar(text("PRAGMA data_version"))

    def _read_rows(self) -> bytes:
        with self._engine.connect() as connection:
            return b"".join(deflated(all_blocks(connection, _thumbnail_url)))

    def _make_thumbnail(self, name: str) -> Path | None:
        key = int.from_bytes(bytes.fromhex(name), "big", signed=True)
        with self._engine.connect() as connection:
            query = select(picture.c.sha256, picture.c.file).where(picture.c.sha_key == key).limit(1)
            found = connection.execute(query).first()
        return make_thumbnail(self.output, found.sha256, found.file) if found is not None else None

    def _url_of(self, row: int) -> str | None:
        with self._engine.connect() as connection:
            return connection.scalar(select(node.c.url).where(node.c.id == row))


def _thumbnail_url(sha256: str, _file: str) -> str:
    return f"{FOLDER}/{sha256[:2]}/{sha256[:16]}.webp"


def _digest(facts: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]
