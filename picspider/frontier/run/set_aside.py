"""Stored pictures that a stricter filter refuses become skips, and their files are moved aside; and all of it back."""

from __future__ import annotations

import hashlib
import json
import logging
from contextlib import suppress
from itertools import count, takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, or_, select, update

from picspider.errors import counted
from picspider.filters import judge
from picspider.output_folder import sidecar_of
from picspider.records import Facts
from picspider.schema import node, picture, repeat, skip

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
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


def take_back(connection: Connection, filters: Sequence[Filter], pictures: Path | None) -> int:
    """Make pictures again of what was set aside and passes *filters* now; returns how many.

    What does not pass stays a skip, for the reason that it has now. What cannot be had back, as its file is gone or
    another picture has its name or its content, is left to be fetched. Raises OSError as the disk does.
    """
    taken = 0
    set_aside = select(skip.c.node, skip.c.stored).where(skip.c.stored.is_not(None))
    for row, kept in connection.execute(set_aside).all():
        stored = json.loads(kept)
        refused = judge(filters, _facts(stored))
        if refused is not None:
            connection.execute(
                update(node).where(node.c.id == row).values(reason=refused.reason, message=refused.message)
            )
        elif pictures is not None and _is_free(connection, stored) and _move_back(pictures, stored):
            connection.execute(delete(skip).where(skip.c.node == row))
            connection.execute(insert(picture).values(stored))
            connection.execute(update(node).where(node.c.id == row).values(reason=None, message=None))
            taken += 1
        else:
            connection.execute(update(skip).where(skip.c.node == row).values(stored=None))
    if taken:
        told = counted(taken, "picture")
        logger.warning("The filters have changed: %s taken back that had been set aside", told)
    return taken


def _is_free(connection: Connection, stored: Mapping[str, Any]) -> bool:
    """Whether no other picture has the name or the content."""
    same = or_(picture.c.file_key == stored["file_key"], picture.c.sha256 == stored["sha256"])
    return connection.scalar(select(picture.c.node).where(same)) is None


def _refused(connection: Connection, filters: Sequence[Filter]) -> Iterator[tuple[Row[Any], Skip]]:
    if not filters:
        return
    query = select(picture).order_by(picture.c.node).execution_options(yield_per=1000)
    for row in connection.execute(query):
        skipped = judge(filters, _facts(row._asdict()))
        if skipped is not None:
            yield row, skipped


def _facts(stored: Mapping[str, Any]) -> Facts:
    suffix = Path(stored["file"]).suffix
    return Facts(stored["format"], stored["width"], stored["height"], suffix, stored["bytes"])


def _end_as_skip(connection: Connection, row: Row[Any], skipped: Skip) -> None:
    same = (repeat.c.node == row.node, repeat.c.by == "content")
    rows = [row.node, *connection.scalars(select(repeat.c.later).where(*same, repeat.c.later != 0))]
    connection.execute(delete(repeat).where(*same))
    connection.execute(delete(picture).where(picture.c.node == row.node))
    figures = {"width": row.width, "height": row.height, "bytes": row.bytes}
    kept = {row.node: json.dumps(row._asdict())}
    connection.execute(insert(skip), [{"node": each, **figures, "stored": kept.get(each)} for each in rows])
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
    _remove_empty_folders(pictures, file)


def _move_back(pictures: Path, stored: Mapping[str, Any]) -> bool:
    """Move the file and its side-car back; True when it is there, as it is, too, after a run that was killed."""
    file, sha256 = stored["file"], stored["sha256"]
    aside = pictures.parent / SET_ASIDE
    target, sidecar = pictures / file, pictures / sidecar_of(file)
    if target.exists():
        return _sha256(target) == str(sha256)
    found = next((each for each in _there(aside / file) if _sha256(each) == sha256), None)
    if found is None:
        return False
    beside = next((each for each in _there(aside / f"{file}.json") if sha256 in each.read_text("utf-8")), None)
    for source, place in ((beside, sidecar), (found, target)):
        if source is not None:
            place.parent.mkdir(parents=True, exist_ok=True)
            source.replace(place)
    _remove_empty_folders(aside, file)
    with suppress(OSError):  # not empty
        aside.rmdir()
    return True


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _there(target: Path) -> Iterator[Path]:
    return takewhile(Path.exists, _names(target))


def _remove_empty_folders(root: Path, file: str) -> None:
    with suppress(OSError):  # not empty
        for folder in (root / file).parents:
            if folder == root:
                break
            folder.rmdir()


def _names(target: Path) -> Iterator[Path]:
    """*target*, and then names beside it."""
    yield target
    yield from (target.with_stem(f"{target.stem}-{number}") for number in count(2))
