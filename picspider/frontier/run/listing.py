"""Which pages of a finished crawl are looked at again: all that list, and in turns those that lead to one picture.

A crawl of 20,000 photo pages, each with its one picture, would ask for all of them every night to find nothing. That a
page has one picture does not make it one of these: an album of one may grow. So it takes a whole layer of them, and a
large one; and each of its pages is read again in one of `TURNS` runs, so that no picture goes unseen for good.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, func, or_, select

from picspider.schema import IS_DONE, IS_PAGE, node

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection

TURNS = 10
# So many pages are read in a minute or so, whatever they are.
FEW_PAGES = 200
FEW_LINKS_SHARE = 0.8


def pages_to_look_at(connection: Connection, config_json: str, run: int) -> ColumnElement[bool]:
    """The pages that *run* has to read again, by the *config_json* of it."""
    pages = and_(IS_PAGE, IS_DONE)
    layer = _photo_layer(json.loads(config_json))
    if not layer or not _leads_to_one_each(connection, layer):
        return pages
    return and_(pages, or_(node.c.layer != layer, node.c.links != 1, node.c.id % TURNS == run % TURNS))


def _photo_layer(config: dict[str, Any]) -> int:
    """The layer just above the pictures; 0 when those are on entry pages, or its pages have a next-page rule of their
    own, which means that they list.
    """
    layers = config.get("layers") or []
    last = len(layers) - 1
    return 0 if last < 1 or layers[last - 1].get("next_page") is not None else last


def _leads_to_one_each(connection: Connection, layer: int) -> bool:
    where = (node.c.layer == layer, IS_PAGE, IS_DONE)
    few = func.count().filter(node.c.links <= 1)
    total, most, single = connection.execute(select(func.count(), func.max(node.c.page), few).where(*where)).one()
    return bool(total > FEW_PAGES and most == 1 and single >= FEW_LINKS_SHARE * total)
