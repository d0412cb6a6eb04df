"""`picspider retry`: only what failed, and what hangs on it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import and_, func, select

from picspider.commands.config_of import config_of
from picspider.commands.crawl import crawl
from picspider.commands.exit_codes import ExitCode
from picspider.commands.opening import opened_store
from picspider.config.load import load_any_config
from picspider.errors import ConfigError, StoreError, counted
from picspider.failures import REASONS
from picspider.frontier.run.beginning import MARKED
from picspider.frontier.run.changes import changes_between
from picspider.frontier.run.missing import PICTURES_KEY, fetch_again, missing_files
from picspider.frontier.run.renewing import mark_for_retry
from picspider.kept_config import newest_config_json
from picspider.output_folder import OutputFolder
from picspider.pictures.renaming import finish_moves
from picspider.places import Places
from picspider.report.retry_command import retry_command
from picspider.schema import IS_ERROR, IS_WAITING, node, run
from picspider.spiders.beginning import as_kept

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from sqlalchemy import ColumnElement, Connection

    from picspider.spiders.beginning import MadeBy


def retry(  # noqa: PLR0913 - one for each option of the command
    output: Path,
    *,
    reasons: Sequence[str] = (),
    statuses: Sequence[int] = (),
    under: str | None = None,
    config: str | None = None,
    settings: Mapping[str, Any] | None = None,
) -> ExitCode:
    """Fetch the failures of *output* again: those with one of *reasons*, of *statuses*, in the subtree of *under*.

    Raises `PicspiderError` when there is no crawl, a reason is none, or the config is not to be had; before anything
    is marked.
    """
    unknown = set(reasons) - set(REASONS)
    if unknown:
        raise StoreError(f"{', '.join(sorted(unknown))}: no such reason. Known: {', '.join(REASONS)}.")
    with opened_store(output) as store:
        source = config_of(store, output, config)
        now = _config_json(source, output)
        here = store.get_meta(PICTURES_KEY) == "here"
        store.acquire()
        with store.transaction() as connection:
            if here:
                finish_moves(connection, OutputFolder(output).pictures)
            rows = failures(connection, reasons, statuses, under)
            mark_for_retry(connection, rows)
            lost = () if reasons or statuses or not here else _lost(connection, output, under)
            same = fetch_again(connection, lost)
            before = newest_config_json(connection)
            left = _left_waiting(connection)
    tell = print if (settings or {}).get("LOG_LEVEL") != "WARNING" else _unheard
    if lost:
        as_well = f", and {same} of the same content" if same else ""
        tell(f"Fetching {counted(len(lost), 'stored picture')} again: not in the folder any more{as_well}.")
    if not rows and not lost and not left and not changes_between(before, now):
        tell("No failure of this crawl fits; nothing was fetched.")
        return ExitCode.ok
    return crawl(source.source, source.overrides, retry=MARKED, settings=settings)


def _unheard(_: str) -> None:
    """Nothing: `--quiet` leaves warnings only."""


def _config_json(made: MadeBy, output: Path) -> str:
    """The config that *output* is crawled with, as it is kept. Raises ConfigError, which says what to do."""
    file = Path(made.source) if "\n" not in made.source else None
    if file is not None and file.is_absolute() and not file.exists():
        raise ConfigError(
            f"{file}: the config that {output} was crawled with is not there any more, and nothing was changed. Name "
            f"where it is now: {retry_command(output)} --config FILE"
        )
    return as_kept(load_any_config(made.source, made.overrides))


def _left_waiting(connection: Connection) -> bool:
    """Whether rows wait although nobody stopped the last run: a retry that was killed had marked them."""
    ended = connection.scalar(select(run.c.reason).order_by(run.c.id.desc()).limit(1))
    return (
        ended not in ("limit", "shutdown")
        and connection.scalar(select(node.c.id).where(IS_WAITING).limit(1)) is not None
    )


def _lost(connection: Connection, output: Path, under: str | None) -> list[int]:
    """The rows of stored pictures, in the subtree of *under*, whose files are gone."""
    rows = list(missing_files(connection, OutputFolder(output).pictures))
    if under is None or not rows:
        return rows
    places = Places(connection)
    facts = [
        connection.execute(select(node.c.id, node.c.url, node.c.parent).where(node.c.id == row)).one() for row in rows
    ]
    return [row.id for row in facts if row.url == under or under in places.of(row.parent).path]


def failures(connection: Connection, reasons: Sequence[str], statuses: Sequence[int], under: str | None) -> list[int]:
    """The rows in state error that fit all of the conditions given."""
    where: list[ColumnElement[bool]] = [IS_ERROR]
    if reasons:
        where.append(node.c.reason.in_(reasons))
    if statuses:
        where.append(node.c.status.in_(statuses))
    found = connection.execute(select(node.c.id, node.c.url, node.c.parent).where(and_(*where))).all()
    if under is None:
        return [row.id for row in found]
    places = Places(connection)
    rows = [row.id for row in found if row.url == under or under in places.of(row.parent).path]
    if not rows and not connection.scalar(select(func.count()).where(node.c.url == under)):
        raise StoreError(f"{under}: this URL is not in the crawl's tree; take one from tree.json.")
    return rows
