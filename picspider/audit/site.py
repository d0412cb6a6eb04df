"""What all checks need to know: the layers, which of them holds the albums, and what each album has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import and_, case, func, or_, select

from picspider.config.urls import Urls
from picspider.kept_config import layer_names, newest_config
from picspider.places import Places
from picspider.records import Suspect
from picspider.schema import IS_DONE, IS_PAGE, REPEAT_REASON, node

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection

    from picspider.urls import IdentityRules

ROWS_AT_ONCE = 5000
IS_READ = and_(IS_DONE, node.c.reason.is_(None))
# Pages of fewer links than this are steps on the way to one picture, not albums.
ALBUM_LINKS, FEW_LINKS = 3.0, 1.2


@dataclass(frozen=True, slots=True)
class Album:
    """A run of next pages in the album layer. `id` is its first page's row, `links` what its pages link to the next
    layer, `unread` how many of its pages could not be read, `stated` the pictures that its first page says it has.
    """

    id: int
    pages: int
    links: int
    unread: int
    stated: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Site:
    """A crawl made of layers. `names` are those of layers 1, 2, …; `album_layer` is the deepest one whose pages lead
    to several things, None when there is none; `cut_chains` says that the config ends runs of next pages early;
    `rules` are the config's for when two URLs are the same.
    """

    connection: Connection
    names: tuple[str, ...]
    album_layer: int | None
    cut_chains: bool
    places: Places
    rules: IdentityRules

    @classmethod
    def of(cls, connection: Connection) -> Site | None:
        """None when the last run's config has no layers (another spider's crawl)."""
        config = newest_config(connection)
        names = layer_names(config)
        if not names:
            return None
        cut_chains = (config.get("limits") or {}).get("next_pages") is not None
        rules = Urls.model_validate(config.get("urls") or {}).rules
        album_layer = _album_layer(connection, len(names))
        return cls(connection, names, album_layer, cut_chains, Places(connection, 2000), rules)

    @property
    def last(self) -> int:
        """The layer of the pictures."""
        return len(self.names)

    def albums(self) -> Iterator[Album]:
        """All albums whose first page was read."""
        unread = case((IS_READ, 0), else_=1)
        query = (
            select(
                node.c.chain,
                func.count(),
                func.coalesce(func.sum(node.c.links), 0),
                func.sum(unread),
                func.max(case((node.c.page == 1, node.c.stated))),
                func.max(case((node.c.page == 1, node.c.text))),
            )
            .where(
                node.c.layer == self.album_layer, IS_PAGE, or_(node.c.reason.is_(None), node.c.reason != REPEAT_REASON)
            )
            .group_by(node.c.chain)
            .execution_options(yield_per=ROWS_AT_ONCE)
        )
        for chain, pages, links, bad, stated, text in self.connection.execute(query):
            if pages > bad:
                yield Album(chain, pages, int(links), int(bad), stated, text or "")

    def suspect(self, kind: str, row: int, message: str) -> Suspect:
        """A suspect that stands on the page *row*."""
        place = self.places.of(row)
        return Suspect(kind, place.url, place.path, message)


def _album_layer(connection: Connection, last: int) -> int | None:
    heads = func.sum(case((node.c.page == 1, 1), else_=0))
    query = (
        select(node.c.layer, heads, func.coalesce(func.sum(node.c.links), 0))
        .where(IS_PAGE, IS_READ, node.c.layer < last)
        .group_by(node.c.layer)
    )
    links_each = {layer: float(links) / count for layer, count, links in connection.execute(query) if count}
    for least in (ALBUM_LINKS, FEW_LINKS):
        found: list[int] = [layer for layer, links in links_each.items() if links >= least]
        if found:
            return max(found)
    return None


def is_step(layer: int) -> ColumnElement[bool]:
    """SQL: first pages of *layer*, and the pictures if it is theirs."""
    return and_(node.c.layer == layer, node.c.page == 1)
