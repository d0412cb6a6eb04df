"""Pages that two layers have: the one nearer to the entry counts, whichever answered first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from picspider.frontier.run.beginning import begin
from picspider.frontier.run.shallower import Risen, rise
from picspider.frontier.store.store import Store
from picspider.frontier.turn.batch import Batch, Want
from picspider.frontier.turn.turn import turn
from picspider.records import Answer, PageRead, Sighting
from picspider.schema import IS_WAITING, node, repeat
from tests.crawls.running import Crawl, scrapy_crawl
from tests.pictures.test_renaming import serving
from tests.sites.site import Site

ENTRY, LIST, ONE, FIVE, FIVE_ON = range(1, 6)
CONFIG = """
entry: {base}/
layers: ['/c/\\d+$', '/c/\\d+$', '\\.jpg$']
next_page: Next
fetch: {{retries: 0}}
"""


def seen(number: int, parent: int, layer: int, page: int = 1, chain: int = 0) -> Sighting:
    """A link to a page."""
    return Sighting(f"http://a/{number}", number, "a:80", layer, page, "page", parent, 0, chain, f"on {parent}", 0, 0)


@pytest.fixture
def store() -> Iterator[Store]:
    """A page that the list of layer 0 and a page of layer 1 link, found by the latter first, with a next page."""
    store = Store("sqlite://")
    begin(store, None, "{}")
    read = PageRead(Answer(200), 1, 7)
    turn(store, Batch([seen(1, 0, 0)]), Want(9))
    turn(store, Batch([seen(2, ENTRY, 0, 2, ENTRY), seen(3, ENTRY, 1)], outcomes={ENTRY: read}), Want(9))
    turn(store, Batch([seen(4, ONE, 2)], outcomes={ONE: read}), Want(9))
    turn(store, Batch([seen(5, FIVE, 2, 2, FIVE), seen(6, FIVE, 3)], outcomes={FIVE: read}), Want(9))
    turn(store, Batch([seen(4, LIST, 1), seen(3, LIST, 1)], outcomes={LIST: read, FIVE_ON: read, 6: read}), Want(9))
    yield store
    store.close()


def test_nearest_layer(store: Store) -> None:
    """The page moves there with its next pages, all are read again, and the deeper link becomes the repeat."""
    with store.transaction() as connection:
        assert rise(connection) == [Risen("http://a/4", 2, 1)]
        place = (node.c.layer, node.c.parent, node.c.page, node.c.text)
        moved = connection.execute(select(*place).where(node.c.id.in_((FIVE, FIVE_ON))).order_by(node.c.id)).all()
        assert moved == [(1, LIST, 1, f"on {LIST}"), (1, FIVE, 2, f"on {FIVE}")]
        assert connection.scalars(select(node.c.id).where(IS_WAITING)).all() == [FIVE, FIVE_ON]
        again = select(repeat.c.node, repeat.c.layer, repeat.c.parent, repeat.c.text).order_by(repeat.c.node)
        assert connection.execute(again).all() == [(ONE, 1, LIST, f"on {LIST}"), (FIVE, 2, ONE, f"on {ONE}")]
        assert rise(connection) == []


def test_what_stays(store: Store) -> None:
    """A next page is no page of a layer, and the other way round; a link of a page that was moved itself is too old."""
    late = [seen(6, LIST, 0, 3, ENTRY), seen(5, LIST, 1)]
    turn(store, Batch([seen(7, 6, 4), *late]), Want(0))
    turn(store, Batch([seen(7, FIVE_ON, 2)]), Want(0))
    with store.transaction() as connection:
        assert rise(connection) == [Risen("http://a/4", 2, 1)]


def test_next_page_of_a_nearer_chain(store: Store) -> None:
    """It becomes one of that chain."""
    turn(store, Batch([seen(5, LIST, 0, 3, ENTRY)]), Want(0))
    with store.transaction() as connection:
        assert Risen("http://a/5", 2, 0) in rise(connection)
        place = select(node.c.layer, node.c.page, node.c.chain).where(node.c.id == FIVE_ON)
        assert connection.execute(place).one() == (0, 3, ENTRY)


def crawl(folder: Path, slow: str) -> tuple[Crawl, dict[str, int]]:
    """A crawl of pages that two layers take, with the answer to *slow* late; and the layer of each page."""
    site = Site()
    site.page("/", '<a href="/c/1">1</a><a href="/list">Next</a>')
    site.page("/list", '<a href="/c/5">5</a>')
    site.page("/c/1", '<a href="/c/5">5</a><a href="/c/6">6</a>')
    site.page("/c/5", f'<a href="/c/7">7</a><a href="/c/5/2">Next</a><img src="{site.picture("/5.jpg", 5)}">')
    site.page("/c/5/2", '<a href="/c/8">8</a>')
    for number in (6, 7, 8):
        site.page(f"/c/{number}", f'<img src="{site.picture(f"/{number}.jpg", number)}">')
    with serving(site, slow, 1.0) as base:
        done = scrapy_crawl(CONFIG.format(base=base), folder)
    return done, {page["url"].removeprefix(base): page["layer"] for page in done.feed("tree")}


def test_late_list(tmp_path: Path) -> None:
    """No picture of the nearer layer is lost; what was found before it was known stays, and it is told."""
    late, layers = crawl(tmp_path / "late", "/list")
    _, expected = crawl(tmp_path / "early", "/c/1")
    assert expected.items() <= layers.items(), late.complaints()
    assert layers.keys() - expected.keys() == {"/5.jpg"}
    assert "was found in layer 2 before it was found in layer 1" in late.log
    assert {"1/6.jpg", "5/7.jpg", "5/8.jpg"} < late.stored().keys()
