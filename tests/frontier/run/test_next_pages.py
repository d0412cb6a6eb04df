"""Where next pages stand, whichever of the pages that link them answered first."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from sqlalchemy import func, select

from picspider.frontier.run.beginning import begin
from picspider.frontier.run.canonical import settle_originals
from picspider.frontier.run.next_pages import several_ways
from picspider.frontier.store.store import Store
from picspider.frontier.turn.batch import Batch, Want
from picspider.frontier.turn.turn import turn
from picspider.records import Answer, PageRead, Sighting
from picspider.schema import node, repeat
from picspider.urls import fingerprint

# What stands on each page, in order: next pages are numbers, albums are letters.
Site = Mapping[str, str]

BAR: Site = {str(n): f"{min(8, n + 2)}{max(1, n - 2)}{min(8, n + 1)}{'abcdefgh'[n - 1]}" for n in range(1, 9)}
TREE: Site = {"1": "a23", "2": "b45", "3": "c5674", "4": "d", "5": "ae", "6": "f", "7": "g8", "8": "h"}
RING: Site = {"1": "a2", "2": "b3", "3": "c4", "4": "d1"}


class Crawl:
    """Reads the pages of a site in a random order."""

    def __init__(self, site: Site, *, seed: int, layer: int = 0) -> None:
        self.store = Store("sqlite://")
        begin(self.store, None, "{}")
        self._site, self._layer, self._random = site, layer, random.Random(seed)
        self._pages: dict[str, int] = {}

    def sighted(self, name: str, parent: int, position: int) -> Sighting:
        """A link to *name* on the page *parent*."""
        above = self.row(parent)
        further = name.isdigit() and parent and above.layer == self._layer
        layer = above.layer + (0 if further else 1) if parent else 0
        place = (layer, above.page + 1 if further else 1, "page", parent, position, above.chain if further else 0)
        return Sighting(f"http://a/{name}", fingerprint(name), "a:80", *place, f"{name} on {parent}", 0, 0)  # type: ignore[arg-type]  # in their order

    def row(self, row: int) -> Any:
        """What is known of *row*."""
        return self.store.connection.execute(select(node).where(node.c.id == row)).first()

    def read(self, entries: Sequence[str]) -> None:
        """Read all pages, from *entries* on."""
        turn(self.store, Batch([self.sighted(name, 0, place) for place, name in enumerate(entries)]), Want(0))
        done: set[int] = set()
        while waiting := sorted(set(self.store.connection.scalars(select(node.c.id))) - done):
            row = self._random.choice(waiting)
            done.add(row)
            name = self.row(row).url.removeprefix("http://a/")
            links = [self.sighted(link, row, place) for place, link in enumerate(self._site.get(name, ""))]
            turn(self.store, Batch(links, outcomes={row: PageRead(Answer(200), len(links), row)}), Want(0))

    def settled(self) -> tuple[set[Any], set[Any]]:
        """Where each URL stands in the end, and where it is seen again."""
        with self.store.transaction() as connection:
            settle_originals(connection)
            assert settle_originals(connection) == set(), "settled for good"
            urls = {row: url for row, url in connection.execute(select(node.c.id, node.c.url))}  # noqa: C416 - rows are no tuples to the type checker
            place = (node.c.url, node.c.parent, node.c.page, node.c.chain, node.c.position)
            nodes = {
                (url, urls.get(parent), page, urls[chain], position)
                for url, parent, page, chain, position in connection.execute(select(*place))
            }
            again = select(repeat.c.url, repeat.c.parent, repeat.c.page, repeat.c.position)
            repeats = {(url, urls[parent], page, position) for url, parent, page, position in connection.execute(again)}
            assert len(repeats) == connection.scalar(select(func.count()).select_from(repeat))
        self.store.close()
        return nodes, repeats


@pytest.mark.parametrize("site", [BAR, TREE, RING], ids=["bar", "tree", "ring"])
@pytest.mark.parametrize("entries", ["1", "15", "51"])
def test_any_order_of_answers(site: Site, entries: str) -> None:
    """Page, parent, chain and repeats are the same, for one list and for two that meet."""
    found = []
    for seed in range(8):
        crawl = Crawl(site, seed=seed)
        crawl.read(entries)
        found.append(crawl.settled())
    assert all(each == found[0] for each in found)


def test_fewest_clicks() -> None:
    """A next page continues the first of the pages that are nearest to the beginning of the chain."""
    crawl = Crawl(TREE, seed=3)
    crawl.read("1")
    nodes, repeats = crawl.settled()
    where = {url[-1]: (parent[-1] if parent else None, page) for url, parent, page, *_ in nodes}
    assert where["5"] == ("2", 3)
    assert where["4"] == ("2", 3)
    assert where["8"] == ("7", 4)
    assert ("http://a/a", "http://a/5", 1, 0) in repeats


def test_page_that_a_layer_takes_as_well() -> None:
    """It is the first page of a chain, and what continues it is of that chain."""
    site = {"x": "1", "y": "3", "1": "a2", "2": "b3", "3": "c4", "4": "d"}
    found = []
    for seed in range(12):
        crawl = Crawl(site, seed=seed, layer=1)
        crawl.read("xy")
        found.append(crawl.settled())
    assert all(each == found[0] for each in found)
    chains = {url[-1]: (chain[-1], page) for url, _, page, chain, _ in found[0][0]}
    assert [chains[name] for name in "1234"] == [("1", 1), ("1", 2), ("3", 1), ("3", 2)]


def test_plain_chains() -> None:
    """There is nothing to settle about pages that are linked once each."""
    crawl = Crawl({"1": "a2", "2": "b3", "3": "c"}, seed=1)
    crawl.read("1")
    assert not several_ways(crawl.store.connection, 0)
    crawl.store.close()
