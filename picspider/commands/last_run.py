"""What the last crawl of a config found, layer by layer, as its store keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from picspider.frontier.run.missing import PICTURES_KEY, missing_files
from picspider.output_folder import OutputFolder
from picspider.schema import IS_DONE, IS_PAGE, node

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

    from picspider.config.model import SiteConfig
    from picspider.frontier.store.store import Store

MOST_LINKS = 200
MOST_PAGES = 2000


@dataclass(frozen=True, slots=True)
class LastLayer:
    """Links of layer `number` that were found: (URL, text) of some, and how many on each page by its URL."""

    number: int
    per_page: float
    links: tuple[tuple[str, str], ...]
    by_page: dict[str, int]


def lost_files(store: Store, output: Path) -> list[str]:
    """Files of the last crawl into *output* that are gone from its folder of pictures; its own *store* says so."""
    if store.shared or store.get_meta(PICTURES_KEY) != "here":
        return []
    return list(missing_files(store.connection, OutputFolder(output).pictures).values())


def last_run(store: Store, config: SiteConfig) -> list[LastLayer]:
    """The layers of the last crawl with *config*, as *store* has them."""
    layers = range(1, len(config.layers) + 1)
    return [layer for number in layers if (layer := _layer(store.connection, number)) is not None]


def _layer(connection: Connection, number: int) -> LastLayer | None:
    links = connection.execute(
        select(node.c.url, node.c.text).where(node.c.layer == number, node.c.page == 1).limit(MOST_LINKS)
    ).all()
    if not links:
        return None
    above = (node.c.layer == number - 1, IS_PAGE, IS_DONE)
    mean = connection.scalar(select(func.avg(node.c.links)).where(*above))
    pages = connection.execute(select(node.c.url, node.c.final_url, node.c.links).where(*above).limit(MOST_PAGES))
    by_page = {url: int(count) for each, final, count in pages for url in (each, final) if url and count is not None}
    return LastLayer(number, float(mean or 0), tuple((url, text) for url, text in links), by_page)
