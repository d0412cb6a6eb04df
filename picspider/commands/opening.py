"""The store of an output folder, opened for a command that looks at a crawl."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import ArgumentError

from picspider.errors import no_database
from picspider.feeds.view import View
from picspider.frontier.store import Store, sqlite_url
from picspider.report.summary import last_config, layer_names


@contextmanager
def opened(output: Path, store: str | None = None) -> Iterator[View]:
    """A view of the crawl in *output*; *store* is the SQLAlchemy URL of a shared one. Raises `StoreError`."""
    try:
        opened_store = Store(store or sqlite_url(output), create=False)
    except (ArgumentError, ImportError) as exc:
        raise no_database(str(store)) from exc
    try:
        connection = opened_store.connection
        yield View.of(connection, layer_names(last_config(connection)))
    finally:
        opened_store.close()
