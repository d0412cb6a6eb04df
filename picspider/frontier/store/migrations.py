"""From the tables of an older picspider to today's: one function per step, one line in `MIGRATIONS`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import inspect, select, text, update

from picspider.errors import StoreError
from picspider.schema import SCHEMA_VERSION, host_share, kept_page, meta

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection


def _add_kept_pages(connection: Connection) -> None:
    kept_page.create(connection, checkfirst=True)


def _add_changes_and_shares(connection: Connection) -> None:
    host_share.create(connection, checkfirst=True)
    if "rows_before" not in {column["name"] for column in inspect(connection).get_columns("run")}:
        connection.execute(text("ALTER TABLE run ADD COLUMN rows_before BIGINT"))


def _add_text_of_repeats(connection: Connection) -> None:
    if "text" not in {column["name"] for column in inspect(connection).get_columns("repeat")}:
        connection.execute(text("ALTER TABLE repeat ADD COLUMN text TEXT"))


def _add_what_was_stored_of_skips(connection: Connection) -> None:
    if "stored" not in {column["name"] for column in inspect(connection).get_columns("skip")}:
        connection.execute(text("ALTER TABLE skip ADD COLUMN stored TEXT"))


# version → the step that leads from it to the next one
MIGRATIONS: dict[int, Callable[[Connection], None]] = {
    1: _add_kept_pages,
    2: _add_changes_and_shares,
    3: _add_text_of_repeats,
    4: _add_what_was_stored_of_skips,
}


def migrate(connection: Connection, where: object) -> None:
    """Bring the tables up to date, each step in the transaction of *connection*.

    Raises `StoreError` when they are newer than this program, or older than its first migration.
    """
    stated = connection.scalar(select(meta.c.value).where(meta.c.key == "schema_version"))
    version = int(stated) if stated and stated.isdigit() else 0
    while version != SCHEMA_VERSION and version in MIGRATIONS:
        MIGRATIONS[version](connection)
        version += 1
        connection.execute(update(meta).where(meta.c.key == "schema_version").values(value=str(version)))
    if version != SCHEMA_VERSION:
        raise StoreError(
            f"{where}: made by another version of picspider (schema {stated}, this one reads {SCHEMA_VERSION}). "
            f"Use that version, or another output folder."
        )
