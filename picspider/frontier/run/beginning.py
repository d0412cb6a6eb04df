"""What a run begins with: a new crawl, one that goes on, one brought up to date, or a retry of failures."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sqlalchemy import func, or_, select

from picspider.errors import StoreError, in_words
from picspider.frontier.run.changes import Changes, changes_between, filters_of
from picspider.frontier.run.listing import pages_to_look_at
from picspider.frontier.run.missing import fetch_again, missing_files
from picspider.frontier.run.rejudge import AWAITS_RULE, look_again, rejudge
from picspider.frontier.run.renewing import mark_for_retry
from picspider.frontier.store import workers
from picspider.frontier.store.waiting import portions, to_waiting
from picspider.frontier.turn.claims import remove_leftovers
from picspider.kept_config import newest_config_json
from picspider.schema import IS_ERROR, IS_RUNNING, IS_WAITING, meta, node, picture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from picspider.frontier.store.store import Store

logger = logging.getLogger(__name__)

Beginning = Literal["new", "resume", "refresh", "retry"]
MARKED = "marked"
# In the store: the stored pictures are to be renamed, as the template has changed.
RENAME_KEY = "rename"


def begin(store: Store, retry: str | None, config_json: str, pictures: Path | None = None) -> Beginning:
    """Start a run on *store*, or join the one that other workers are at.

    `retry`: None, `all`, `marked` (rows were marked already) or a failures.json. `pictures`: the folder of what is
    stored, if it is one of this disk that no other worker writes to. Raises `StoreError` when that file cannot be read.
    """
    urls = _urls_in(retry) if retry not in (None, "all", MARKED) else ()
    with store.transaction() as connection:
        workers.one_at_a_time(connection)
        before = newest_config_json(connection)
        if not store.enter_run(connection, config_json):
            logger.info("Other workers are at this crawl; sharing the work")
            _tell_of_others(before, config_json)
            return "resume"
        if not store.shared:
            connection.execute(to_waiting(IS_RUNNING))
        if pictures is not None:
            remove_leftovers(store, connection, pictures)
        if connection.scalar(select(node.c.id).limit(1)) is None:
            return "new"
        unfinished = connection.scalar(select(node.c.id).where(or_(IS_WAITING, IS_RUNNING)).limit(1)) is not None
        changes = changes_between(before, config_json)
        tell(connection, changes, may_rename=pictures is not None)
        if changes:
            rejudge(connection, changes, filters_of(config_json), pictures)
        if retry is not None:
            _mark(connection, retry, urls, pictures)
            return "retry"
        if unfinished:
            logger.info("Going on with the crawl that was interrupted%s", ", under a new config" if changes else "")
            return "resume"
        mark_for_retry(connection, _failures(connection))
        pages = look_again(connection, pages_to_look_at(connection, config_json, store.run))
        logger.info("Bringing the crawl up to date: %d pages are looked at again", pages)
        return "refresh"


def _tell_of_others(before: str | None, config_json: str) -> None:
    if changes_between(before, config_json) != Changes():
        logger.warning(
            "The other workers have another config: what is in the store already is judged by this one when it is "
            "crawled again after them"
        )


def _mark(connection: Connection, retry: str, urls: Sequence[str], pictures: Path | None) -> None:
    """Have fetched again what *retry* asks for."""
    if retry == "all":
        if pictures is not None:
            fetch_again(connection, list(missing_files(connection, pictures)))
        mark_for_retry(connection, _failures(connection))
    elif retry != MARKED:
        mark_for_retry(connection, _failures_of(connection, urls))


def _failures(connection: Connection) -> Sequence[int]:
    """All but those whose page decides first whether it has them still."""
    return connection.scalars(select(node.c.id).where(IS_ERROR, node.c.run != AWAITS_RULE)).all()


def _failures_of(connection: Connection, urls: Sequence[str]) -> list[int]:
    return [
        row
        for portion in portions(urls)
        for row in connection.scalars(select(node.c.id).where(IS_ERROR, node.c.url.in_(portion)))
    ]


def recover(store: Store) -> None:
    """Start a run of a spider that is not picspider's own: what was interrupted goes on, nothing else is repeated."""
    with store.transaction() as connection:
        workers.one_at_a_time(connection)
        if store.enter_run(connection, "{}") and not store.shared:
            connection.execute(to_waiting(IS_RUNNING))


def tell(connection: Connection, changes: Changes, *, may_rename: bool) -> None:
    """Say what another entry and another template for names mean for what is there already, and note the latter."""
    if changes.new_entries:
        logger.warning("The entry has changed: crawled from now on is also %s", _first(changes.new_entries))
    if changes.old_entries:
        logger.warning(
            "The entry has changed: what stands under %s stays, and is brought up to date as before; to be rid of it, "
            "crawl into another output",
            _first(changes.old_entries),
        )
    stored = connection.scalar(select(func.count()).select_from(picture)) if changes.name else 0
    if stored and may_rename:
        logger.warning("pictures.name has changed: the %d stored pictures are named by it, too", stored)
        connection.execute(meta.delete().where(meta.c.key == RENAME_KEY))
        connection.execute(meta.insert().values(key=RENAME_KEY, value=str(stored)))
    elif stored:
        logger.warning(
            "pictures.name has changed: the %d stored pictures keep the names that they have, as they are not in a "
            "folder of this run alone; only new ones are named by it",
            stored,
        )


def _first(urls: Sequence[str]) -> str:
    return f"{urls[0]} and {len(urls) - 1} more" if len(urls) > 1 else urls[0]


def _urls_in(retry: str | None) -> list[str]:
    try:
        records = json.loads(Path(str(retry)).read_text(encoding="utf-8"))
        return [record["url"] for record in records]
    except (OSError, ValueError, KeyError, TypeError) as exc:
        raise StoreError(
            f"{retry}: this is no failures.json ({in_words(exc)}). Use retry=all or OUTPUT/failures.json."
        ) from exc
