"""Another template for names: what is stored already is renamed by it, before anything is fetched."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from picspider.frontier.beginning import RENAME_KEY
from picspider.pictures.renaming import finish_moves, note_moves, rename
from picspider.schema import meta, picture

if TYPE_CHECKING:
    from pathlib import Path

    from picspider.frontier.store import Store

logger = logging.getLogger(__name__)

ROWS_AT_ONCE = 2000


def catch_up_with_names(store: Store, template: str, pictures: Path) -> None:
    """Rename what is stored if the template is another one.

    A killed run leaves the wish in the store; what it has renamed keeps its name when it is looked at again.
    """
    if store.get_meta(RENAME_KEY) is None:
        return
    last, renamed = -1, 0
    while True:
        with store.transaction() as connection:
            query = select(picture.c.node).where(picture.c.node > last).order_by(picture.c.node).limit(ROWS_AT_ONCE)
            rows = connection.scalars(query).all()
            moves = rename(connection, pictures, template, rows)
            note_moves(connection, moves)
        with store.transaction() as connection:
            finish_moves(connection, pictures)
        renamed += len(moves)
        if not rows:
            break
        last = rows[-1]
    with store.transaction() as connection:
        connection.execute(delete(meta).where(meta.c.key == RENAME_KEY))
    logger.warning("%d stored pictures were renamed by the new pictures.name", renamed)
