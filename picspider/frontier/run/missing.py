"""Stored pictures whose file is not there any more: deleted, moved or renamed by hand."""

from __future__ import annotations

import os
from itertools import groupby, islice
from typing import TYPE_CHECKING

from sqlalchemy import select

from picspider.frontier.run.rejudge import reopen
from picspider.frontier.store.waiting import portions
from picspider.schema import node, picture

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sqlalchemy import Connection

# In the store: `here` when the pictures are in OUTPUT/pictures, `elsewhere` when they are on another disk or in S3.
PICTURES_KEY = "pictures"
MOST_NAMES = 50_000


def missing_files(connection: Connection, pictures: Path, before: float | None = None) -> dict[int, str]:
    """Row → file of the stored pictures that are not in the folder *pictures*; *before*: only of those stored before
    that time (seconds since 1970).

    Each folder is listed once, which costs less than a look at each file; memory is that of the names in one folder.
    """
    query = select(picture.c.file, picture.c.node).order_by(picture.c.file)
    if before is not None:
        query = query.where(picture.c.time < before)
    missing: dict[int, str] = {}
    rows = connection.execute(query.execution_options(yield_per=5000))
    for folder, of_folder in groupby(rows, lambda row: row.file.rpartition("/")[0]):
        names = _names_in(pictures / folder)
        unseen = ((file, row) for file, row in of_folder if file.rpartition("/")[2] not in names)
        # What seems to be missing is looked at: some file systems give a name in another spelling.
        missing.update((row, file) for file, row in unseen if not os.path.lexists(pictures / file))
    return dict(sorted(missing.items()))


def _names_in(folder: Path) -> set[str]:
    """The names in *folder*; none when it is not there, or holds so many that they should not be kept in memory."""
    try:
        with os.scandir(folder) as entries:
            names = {entry.name for entry in islice(entries, MOST_NAMES + 1)}
    except OSError:
        return set()
    return names if len(names) <= MOST_NAMES else set()


def fetch_again(connection: Connection, rows: Sequence[int]) -> int:
    """Have the pictures of *rows* downloaded once more, and those of the same content; returns how many these are."""
    return sum(reopen(connection, node.c.id.in_(portion)) for portion in portions(rows)) - len(rows)
