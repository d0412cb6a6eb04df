"""The store of a crawl that was begun before, opened for a command that looks at it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import create_engine, inspect
from sqlalchemy.exc import ArgumentError, DBAPIError

from picspider.errors import no_database
from picspider.feeds.view import View
from picspider.frontier.store.store import Store
from picspider.output_folder import OutputFolder
from picspider.schema import meta
from picspider.settings_bridge import output_folder, store_url_of

if TYPE_CHECKING:
    from picspider.config.model import Crawl


@contextmanager
def opened_store(output: Path, store: str | None = None) -> Iterator[Store]:
    """The store of the crawl in *output*; *store* is the SQLAlchemy URL of a shared one. Raises `StoreError`."""
    try:
        opened = Store(store or OutputFolder(output).store_url, create=False)
    except (ArgumentError, ImportError) as exc:
        raise no_database(str(store)) from exc
    try:
        yield opened
    finally:
        opened.close()


@contextmanager
def opened(output: Path, store: str | None = None) -> Iterator[View]:
    """A view of the crawl in *output*, as `opened_store`."""
    with opened_store(output, store) as crawled:
        yield View.of(crawled.connection)


@contextmanager
def store_if_any(config: Crawl) -> Iterator[Store | None]:
    """The store that *config* names, or that is in its output folder; None when nothing was crawled with it yet.

    Raises `StoreError` for one that cannot be read.
    """
    output = output_folder(config)
    if not (OutputFolder(output).store.exists() if config.store is None else _holds_a_crawl(config.store)):
        yield None
        return
    with opened_store(output, store_url_of(config, output)) as crawled:
        yield crawled


def _holds_a_crawl(url: str) -> bool:
    """Whether the database at *url* has a crawl's tables; raises as `opened_store` does."""
    try:
        engine = create_engine(url)
        try:
            return inspect(engine).has_table(meta.name)
        finally:
            engine.dispose()
    except (ArgumentError, ImportError) as exc:
        raise no_database(url) from exc
    except DBAPIError:
        return True  # whatever is wrong with it is told on opening it
