"""The store of an output folder, opened for a command that looks at a crawl."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from picspider.feeds.view import View
from picspider.frontier.store import Store, sqlite_url
from picspider.report.summary import last_config, layer_names


@contextmanager
def opened(output: Path, store: str | None = None) -> Iterator[View]:
    """A view of the crawl in *output*; *store* is the SQLAlchemy URL of a shared one. Raises `StoreError`."""
    opened_store = Store(store or sqlite_url(output), create=False)
    try:
        connection = opened_store.connection
        yield View.of(connection, layer_names(last_config(connection)))
    finally:
        opened_store.close()
