"""A layer rule that matched nothing on a page where its neighbours match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sqlalchemy import case, func, select

from picspider.audit.site import IS_READ, Site, is_step
from picspider.schema import IS_PAGE, node

if TYPE_CHECKING:
    from picspider.records import Suspect

KIND = "dry-page"
FEWEST_NEIGHBOURS = 4
# Where more pages than this have nothing, that is how the site is: told once, not page by page.
RARE_SHARE = 0.05


def pages_without_links(site: Site) -> Iterator[Suspect]:
    """Single pages; or one suspect for a layer where the rule often or always found nothing."""
    dry = func.sum(case((node.c.links == 0, 1), else_=0))
    query = (
        select(node.c.layer, func.count(), dry, func.min(case((node.c.links == 0, node.c.id))))
        .where(IS_PAGE, IS_READ, node.c.page == 1, node.c.layer < site.last)
        .group_by(node.c.layer)
        .order_by(node.c.layer)
    )
    for layer, pages, without, example in site.connection.execute(query).all():
        if not without:
            continue
        name = site.names[layer]
        matching = pages - without
        if not matching:
            where = f"any of {pages} pages" if pages > 1 else "its only page"
            yield site.suspect(KIND, example, f"the rule of layer {name} matched nothing on {where}")
        elif matching >= FEWEST_NEIGHBOURS and without <= max(1, pages * RARE_SHARE):
            yield from _each(site, layer, f"the rule of layer {name} matched nothing here; it did on {matching} others")
        elif pages > FEWEST_NEIGHBOURS:
            yield site.suspect(
                KIND,
                example,
                f"the rule of layer {name} matched nothing on {without} of {pages} pages, this is the first of them",
            )


def _each(site: Site, layer: int, message: str) -> Iterator[Suspect]:
    query = select(node.c.id).where(IS_PAGE, IS_READ, is_step(layer), node.c.links == 0).order_by(node.c.id)
    for row in site.connection.scalars(query).all():
        yield site.suspect(KIND, row, message)
