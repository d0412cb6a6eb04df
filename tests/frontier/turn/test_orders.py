from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import create_engine, select

from picspider.frontier.store.store import Store
from picspider.frontier.turn.orders import ORDERS, begin_order, order_of
from picspider.output_folder import OutputFolder
from picspider.schema import State, metadata, node
from picspider.visit import Note
from tests.conftest import Serve
from tests.crawls.running import scrapy_crawl
from tests.report.made_store import MadeStore
from tests.sites.site import Site

CONFIG = """\
entry: {base}/
order: {order}
layers: ['/album/\\d+/', '/photo/', '\\.jpg$']
next_page: Next
fetch: {{concurrency: 1}}
"""

# Two list pages; albums 0 and 1 on the first, 2 on the second; album 0 has two pages. Each photo has one picture.
PHOTOS = {"/album/0/": (0, 1), "/album/0/?p=2": (2,), "/album/1/": (3,), "/album/2/": (4, 5)}

ORDER = {
    "breadth": [
        "/", "/list2.html",
        "/album/0/", "/album/0/?p=2", "/album/1/", "/album/2/",
        *(f"/photo/{number}.html" for number in range(6)),
        *(f"/{number}.jpg" for number in range(6)),
    ],
    "depth": [
        "/",
        "/album/0/", "/photo/0.html", "/0.jpg", "/photo/1.html", "/1.jpg",
        "/album/0/?p=2", "/photo/2.html", "/2.jpg",
        "/album/1/", "/photo/3.html", "/3.jpg",
        "/list2.html",
        "/album/2/", "/photo/4.html", "/4.jpg", "/photo/5.html", "/5.jpg",
    ],
}  # fmt: skip


@pytest.fixture
def site() -> Site:
    """The tree whose orders are written out above."""
    site = Site()
    site.page("/", '<a href="/album/0/">0</a><a href="/album/1/">1</a><a href="/list2.html">Next</a>')
    site.page("/list2.html", '<a href="/album/2/">2</a>')
    for path, photos in PHOTOS.items():
        more = '<a href="/album/0/?p=2">Next</a>' if path == "/album/0/" else ""
        site.page(path, "".join(f'<a href="/photo/{photo}.html">{photo}</a>' for photo in photos) + more)
        for photo in photos:
            site.page(f"/photo/{photo}.html", f'<img src="{site.picture(f"/{photo}.jpg", photo)}">')
    return site


@pytest.mark.parametrize("order", ORDER)
def test_order_is_exact_with_one_request_at_a_time(order: str, site: Site, serve: Serve, tmp_path: Path) -> None:
    """With concurrency 1 the server is asked in exactly the order that is written out."""
    server = serve(site.write(tmp_path / "site"))
    crawl = scrapy_crawl(CONFIG.format(base=server.base, order=order), tmp_path / "output")
    asked = [request.path for request in server.requests() if request.path != "/robots.txt"]
    assert asked == ORDER[order], crawl.complaints()


@pytest.mark.parametrize("order", ORDER)
def test_order_goes_on_after_a_limit(order: str, site: Site, serve: Serve, tmp_path: Path) -> None:
    """A crawl stopped by a limit of pages and started again asks in the same order as one that was not stopped."""
    server = serve(site.write(tmp_path / "site"))
    config = CONFIG.format(base=server.base, order=order)
    first = scrapy_crawl(config + "limits: {pages: 4}\n", tmp_path / "output")
    stopped = [request.path for request in server.requests() if request.path.endswith(("/", ".html", "?p=2"))]
    assert stopped == [path for path in ORDER[order] if not path.endswith(".jpg")][:4], first.log[-3000:]
    scrapy_crawl(config, tmp_path / "output")
    pages = [request.path for request in server.requests() if request.path.endswith(("/", ".html", "?p=2"))]
    assert pages == [path for path in ORDER[order] if not path.endswith(".jpg")]


def test_best_takes_the_highest_score() -> None:
    """In best order the priority is the score, and the older row comes first among equals."""
    order = ORDERS["best"]()
    assert order.place(Note(priority=30)) > order.place(Note(priority=7))
    assert order.place(Note(priority=7))[1] == 0


def test_depth_tells_pages_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Links of one page share its place, by the clock in milliseconds; the next page comes before it."""
    monkeypatch.setattr("picspider.frontier.turn.orders.time.time", lambda: 1000.5)
    order = ORDERS["depth"]()
    places = [order.place(Note(parent=parent, position=at)) for parent, at in ((1, 0), (1, 1), (2, 0), (3, 0), (0, 5))]
    assert places == [(1_000_500, 1), (1_000_500, 2), (1_000_501, 1), (1_000_502, 1), (-5, 6)]


def test_depth_never_goes_back_in_time() -> None:
    """Rows found after a restart come before those that wait, even when the clock was set back."""
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        metadata.create_all(connection)
        order = begin_order("depth", connection, None)
        first = order.place(Note(parent=1))
        order.begin(connection)
        assert order.place(Note(parent=2)) >= first


@pytest.mark.parametrize(
    ("order", "places"), [("breadth", [(-2, 2), (-2, 2)]), ("depth", [(2, 2), (2, 2)]), ("best", [(7, 2), (0, 3)])]
)
def test_rows_of_another_order_are_placed_anew(order: str, places: list[tuple[int, int]], tmp_path: Path) -> None:
    """What waits gets the place that the new order gives, a next page that of its chain; what is done keeps its own."""
    made = MadeStore()
    columns = {"priority": 55, "rank": 66, "state": State.waiting.value, "score": None}
    made.row("http://a/", "", 0, 0, **{**columns, "state": State.done.value})
    first = made.row("http://a/album", "", 2, 1, **{**columns, "score": 7})
    made.row("http://a/album?p=2", "", 2, 2, **columns, page=2, chain=first)
    made.write(tmp_path)
    store = Store(OutputFolder(tmp_path).store_url)
    query = select(node.c.priority, node.c.rank).order_by(node.c.id)
    with store.transaction() as connection:
        begin_order(order, connection, order)
        assert set(connection.execute(query)) == {(55, 66)}, "the same order goes on"
        begin_order(order, connection, "another")
        assert connection.execute(query).all() == [(55, 66), *places]
    store.close()


def test_order_is_remembered(tmp_path: Path) -> None:
    """A store knows by which order its rows were placed, so that another one places them anew, once."""
    made = MadeStore()
    made.row("http://a/", "", 2, 0, state=State.waiting.value, priority=55)
    made.write(tmp_path)
    store = Store(OutputFolder(tmp_path).store_url)
    for order, priority in (("breadth", 55), ("depth", 2), ("breadth", -2)):
        order_of(order, store)
        assert store.connection.scalar(select(node.c.priority)) == priority
        assert store.get_meta("order") == order
    store.close()


def test_depth_goes_on_above_what_waits(tmp_path: Path) -> None:
    """What a page gives after a restart comes before all rows that wait, whatever the clock says."""
    made = MadeStore()
    made.row("http://a/done", "", 1, 0, priority=10**16)
    made.row("http://a/", "", 1, 0, state=State.waiting.value, priority=10**15)
    made.write(tmp_path)
    store = Store(OutputFolder(tmp_path).store_url)
    assert order_of("depth", store).place(Note(parent=1)) == (10**15 + 1, 1)
    store.close()
