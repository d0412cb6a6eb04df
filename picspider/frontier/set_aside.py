"""Stored pictures that a stricter filter refuses: they become skips, and their files are moved aside."""

from __future__ import annotations

import logging
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select, update

from picspider.filters import judge
from picspider.output_folder import sidecar_of
from picspider.records import Facts
from picspider.schema import node, picture, repeat, skip

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from sqlalchemy import Connection, Row

    from picspider.filters import Filter, Skip

logger = logging.getLogger(__name__)

SET_ASIDE = "set-aside"


def judge_stored(connection: Connection, filters: Sequence[Filter], pictures: Path | None) -> int:
    """Make skips of the stored pictures, and of their repeats, that *filters* refuse; returns how many pictures.

    Their files go from the folder *pictures* to `set-aside` beside it. With None (another store than this disk's) all
    stays as it is, and is told. Raises OSError as the disk does.
    """
    refused = list(_refused(connection, filters))
    if not refused:
        return 0
    if pictures is None:
        logger.warning(
            "The filters have changed: %d of the stored pictures do not pass any more. They stay as they are, since "
            "their files are not in a folder of this run alone; what comes from now on is judged by the new filters",
            len(refused),
        )  # fmt: skip
        return 0
    for row, skipped in refused:
        # Moved first: a run that is killed in between does both again, as the file is known until the end.
        _move(pictures, row.file)
        _end_as_skip(connection, row, skipped)
    logger.warning(
        "The filters have changed: %d of the stored pictures do not pass any more. They are in skips.json now, and "
        "their files are in %s",
        len(refused), pictures.parent / SET_ASIDE,
    )  # fmt: skip
    return len(refused)


def _refused(connection: Connection, filters: Sequence[Filter]) -> Iterator[tuple[Row[Any], Skip]]:
    if not filters:
        return
    query = select(picture).order_by(picture.c.node).execution_options(yield_per=1000)
    for row in connection.execute(query):
        facts = Facts(row.format, row.width, row.height, Path(row.file).suffix, row.bytes)
        skipped = judge(filters, facts)
        if skipped is not None:
            yield row, skipped


def _end_as_skip(connection: Connection, row: Row[Any], skipped: Skip) -> None:
    same = (repeat.c.node == row.node, repeat.c.by == "content")
    rows = [row.node, *connection.scalars(select(repeat.c.later).where(*same, repeat.c.later != 0))]
    connection.execute(delete(repeat).where(*same))
    connection.execute(delete(picture).where(picture.c.node == row.node))
    figures = {"width": row.width, "height": row.height, "bytes": row.bytes}
    connection.execute(insert(skip), [{"node": each, **figures} for each in rows])
    end = {"reason": skipped.reason, "message": skipped.message}
    connection.execute(update(node).where(node.c.id.in_(rows)).values(end))


def _move(pictures: Path, file: str) -> None:
    """Move *file* and its side-car; nothing when a run that was killed has done it."""
    aside = pictures.parent / SET_ASIDE
    for source, name in ((pictures / file, file), (pictures / sidecar_of(file), f"{file}.json")):
        if not source.exists():
            continue
        target = aside / name
        target.parent.mkdir(parents=True, exist_ok=True)
        source.replace(next(free for free in _names(target) if not free.exists()))
    with suppress(OSError):  # not empty
        for folder in (pictures / file).parents:
            if folder == pictures:
                break
            folder.rmdir()


def _names(target: Path) -> Iterator[Path]:
    """*target*, and then names beside it."""
    yield target
    yield from (target.with_stem(f"{target.stem}-{number}") for number in count(2))
