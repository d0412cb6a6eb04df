"""Whether a crawl runs on a store right now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from picspider.frontier.store.lock import holder_lives
from picspider.frontier.store.workers import others
from picspider.output_folder import OutputFolder
from picspider.schema import run

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from picspider.frontier.store.store import Store


def is_running(store: Store, connection: Connection) -> bool:
    """A run that has not ended, and whose process (or, on a shared *store*, any worker) is alive.

    *connection* is one of the store's, for the thread that asks.
    """
    newest = connection.execute(select(run.c.ended).order_by(run.c.id.desc()).limit(1)).first()
    if newest is None or newest.ended is not None:
        return False
    if store.file is not None:
        return holder_lives(OutputFolder(store.file.parent).lock)
    return others(connection, store.worker, store.presence.lease_seconds) > 0
