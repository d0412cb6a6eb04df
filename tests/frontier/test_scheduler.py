"""The scheduler by itself: what it hands out, with a real downloader that says which hosts have to wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.core.engine import ExecutionEngine
from scrapy.exceptions import DontCloseSpider
from scrapy.utils.defer import deferred_to_future
from scrapy.utils.test import get_crawler
from sqlalchemy import select

from picspider.frontier.dupefilter import PairDupeFilter
from picspider.frontier.run.beginning import begin
from picspider.frontier.run.renewing import mark_for_retry
from picspider.frontier.scheduler import TURN_SECONDS, Frontier
from picspider.frontier.store.store import Store
from picspider.frontier.turn.lookups import Lookups
from picspider.output_folder import OutputFolder
from picspider.records import Answer, Facts, Lost, PageRead, Stored
from picspider.schema import State, node, repeat
from picspider.visit import Note, attach, note_of

SLOW, OTHER = "http://slow.example/1.jpg", "http://other.example/2.jpg?token=old"
PAGE = "http://slow.example/"


class Reader(Spider):
    """A spider whose requests the frontier takes for picspider's own."""

    name = "reader"
    reads_notes = True


def frontier_of(store: Store, order: str = "breadth") -> Frontier:
    """A frontier with picspider's downloader in the engine."""
    settings = {
        "DOWNLOADER": "picspider.fetch.downloader.Downloader",
        "DOWNLOAD_HANDLERS": dict.fromkeys(("http", "https")),  # nothing is sent
        "PICSPIDER_OUT_BUFFER": 2,
        "PICSPIDER_ORDER": order,
    }
    crawler = get_crawler(Reader, settings)
    crawler.spider = Reader()
    crawler.engine = ExecutionEngine(crawler, lambda _: None)
    return Frontier(crawler, store, PairDupeFilter.from_crawler(crawler))


@pytest.fixture
def frontier(tmp_path: Path) -> Iterator[Frontier]:
    """The frontier of a new crawl."""
    store = Store(OutputFolder(tmp_path).store_url)
    begin(store, None, "{}")
    frontier = frontier_of(store)
    frontier.open(Reader())
    yield frontier
    frontier.lookups.close()
    store.close()


def failed_beside_a_host_that_waits(frontier: Frontier, reason: str) -> None:
    """A picture of one host has failed for *reason*; one of another host is at hand, and has to wait."""
    frontier.enqueue_request(attach(Request(PAGE), Note()))
    page = frontier.next_request()
    assert page is not None
    for url in (OTHER, SLOW):
        frontier.enqueue_request(attach(Request(url), Note(layer=1, kind="picture", parent=1, parent_url=PAGE)))
    frontier._turn(0)
    for _ in range(2):
        request = frontier.next_request()
        assert request is not None
        if request.url == OTHER:
            frontier.ledger.end(request, Lost(Answer(403), reason, "told"))
    for number in range(3, 8):
        note = Note(layer=1, kind="picture", parent=1)
        frontier.enqueue_request(attach(Request(f"http://slow.example/{number}.jpg"), note))
    assert frontier.crawler.engine is not None
    downloader: Any = frontier.crawler.engine.downloader
    downloader.hold("slow.example:80", 60)
    frontier._turn(2)
    assert frontier.out.hosts() == ["slow.example:80"]
    assert frontier.next_request() is None, "there is nothing but what has to wait, in memory and in the table"


def reopened_by_a_referer(frontier: Frontier) -> None:
    """Another picture of the host came with this Referer."""
    frontier.ledger.ask_differently("other.example:80", "none")


def reopened_by_a_fresh_address(frontier: Frontier) -> None:
    """The page was read again, and shows the picture at this address."""
    with frontier.store.transaction() as connection:
        mark_for_retry(connection, [2])
    assert frontier.ledger.expired_below(1) == [(2, OTHER)]
    frontier.ledger.renew([(2, OTHER.replace("old", "new"))])


@pytest.mark.parametrize(
    ("reason", "reopen", "address", "referer"),
    [
        ("placeholder", reopened_by_a_referer, OTHER, "none"),
        ("http", reopened_by_a_fresh_address, OTHER.replace("old", "new"), None),
    ],
)
def test_reopened_rows_do_not_wait_for_another_host(
    frontier: Frontier, reason: str, reopen: Callable[[Frontier], None], address: str, referer: str | None
) -> None:
    """What is fetched again of one host comes out although all that is in memory is of a host that has to wait."""

    async def crawl() -> None:
        failed_beside_a_host_that_waits(frontier, reason)
        reopen(frontier)
        request = frontier.next_request()
        assert request is not None
        assert request.url == address
        note = note_of(request)
        assert note is not None
        assert (note.id, note.referer) == (2, referer)

    asyncio.run(crawl())


def pages(frontier: Frontier, *numbers: int, parent: int = 0) -> list[bool]:
    """Let pages be sighted; whether each is new."""
    return [
        frontier.enqueue_request(attach(Request(f"http://a.example/{number}"), Note(parent=parent, position=number)))
        for number in numbers
    ]


def taken(frontier: Frontier) -> Request:
    """The next request."""
    request = frontier.next_request()
    assert request is not None
    return request


def row_of(request: Request) -> int:
    """Its row."""
    note = note_of(request)
    assert note is not None
    return note.id


def states(frontier: Frontier) -> list[State]:
    """The states of all rows."""
    with frontier.store.transaction() as connection:
        return [State(state) for state in connection.scalars(select(node.c.state).order_by(node.c.id))]


def in_loop(scenario: Callable[[], None]) -> None:
    """Run *scenario* while a loop runs."""

    async def crawl() -> None:
        scenario()

    asyncio.run(crawl())


def test_requests_in_their_order(frontier: Frontier) -> None:
    """What was sighted comes out once, with its row, and is pending until then."""

    def scenario() -> None:
        assert not len(frontier)
        assert pages(frontier, 1, 2, 3) == [True, True, True]
        assert (len(frontier), frontier.has_pending_requests()) == (3, True)
        first = taken(frontier)
        assert (first.url, row_of(first)) == ("http://a.example/1", 1)
        assert len(frontier) == 1, "the out-buffer has two places"
        assert [taken(frontier).url[-1] for _ in range(2)] == ["2", "3"]
        assert frontier.next_request() is None
        assert (len(frontier), frontier.has_pending_requests()) == (0, False)
        stats = frontier.crawler.stats
        assert (stats.get_value("picspider/urls/new"), stats.get_value("picspider/urls/repeats")) == (3, None)

    in_loop(scenario)


def test_full_in_buffer_is_written(frontier: Frontier) -> None:
    """As soon as there are as many sightings as it holds."""
    frontier.in_size = 3

    def scenario() -> None:
        pages(frontier, 1, 2)
        assert states(frontier) == []
        pages(frontier, 3)
        assert states(frontier) == [State.waiting] * 3
        assert len(frontier) == 0

    in_loop(scenario)


def test_repeats(frontier: Frontier) -> None:
    """A URL that is known is not taken in; its place on another page is noted, that on the same page is not."""

    def scenario() -> None:
        pages(frontier, 1, parent=7)
        frontier._turn(0)
        assert pages(frontier, 1, parent=7) == [False]
        assert pages(frontier, 1) == [False]
        assert not frontier.batch
        assert pages(frontier, 1, parent=8) == [False]
        again = attach(Request("http://a.example/1"), Note(parent=7, again=True))
        assert not frontier.enqueue_request(again)
        untold = attach(Request("http://a.example/1"), Note(parent=9, repeats=False))
        assert not frontier.enqueue_request(untold)
        frontier._turn(0)
        with frontier.store.transaction() as connection:
            places = connection.execute(select(repeat.c.node, repeat.c.parent, repeat.c.again)).all()
        assert sorted(places) == [(1, 7, 1), (1, 8, 0)]

    in_loop(scenario)


def test_retry_goes_on_with_its_row(frontier: Frontier) -> None:
    """It comes before what waits, unless its host has to wait, and is no new sighting."""

    def scenario() -> None:
        pages(frontier, 1, 2)
        first = taken(frontier)
        assert frontier.enqueue_request(first.replace(dont_filter=True))
        assert (len(frontier), frontier.has_pending_requests()) == (2, True)
        downloader: Any = frontier.crawler.engine.downloader
        downloader.hold("a.example:80", 60)
        assert frontier.next_request() is None
        downloader.slots["a.example:80"].not_before = 0.0
        assert [row_of(taken(frontier)) for _ in range(2)] == [1, 2]

    in_loop(scenario)


def test_limit(frontier: Frontier) -> None:
    """What a limit forbids is not handed out, and waits for the next run; other kinds are no matter."""
    frontier.budget.pages = 1

    def scenario() -> None:
        pages(frontier, 1, 2)
        taken(frontier)
        assert frontier.next_request() is None
        picture = attach(Request(OTHER), Note(layer=1, kind="picture", parent=1))
        assert frontier.enqueue_request(picture)
        assert taken(frontier).url == OTHER
        frontier.budget.pictures = 1
        assert frontier.next_request() is None
        frontier._turn(9)
        assert not frontier.has_pending_requests()
        assert states(frontier)[1] is State.waiting

    in_loop(scenario)


def test_end_of_a_run(frontier: Frontier) -> None:
    """Ends that were told are written, even of what nobody spoke of; all else waits for the next run."""

    async def crawl() -> None:
        pages(frontier, 1, 2, 3, 4)
        first, second = taken(frontier), taken(frontier)
        frontier.ledger.end(first, PageRead(Answer(200), 0, 0))
        frontier.enqueue_request(second.replace(dont_filter=True))
        pages(frontier, 5)
        await deferred_to_future(frontier.close("finished"))
        assert states(frontier) == [State.done, *[State.waiting] * 4]
        assert frontier.crawler.stats.get_value("picspider/urls/ended") == 1
        assert frontier.crawler.stats.get_value("picspider/seen/tests") == 5
        assert len(frontier.out) == 0
        frontier.lookups = Lookups(frontier.store)  # for the fixture to close

    asyncio.run(crawl())


def test_dropped_request(frontier: Frontier) -> None:
    """One that leaves the engine without a word is a failure; a picture that was not stored does not count."""
    frontier.budget.pictures = 1

    def scenario() -> None:
        for url in (SLOW, OTHER):
            frontier.enqueue_request(attach(Request(url), Note(layer=1, kind="picture", parent=1)))
        taken(frontier)
        frontier._turn(2)
        assert states(frontier)[0] is State.error
        assert frontier.budget.fetched["picture"] == 0
        stored = taken(frontier)
        assert stored.url == OTHER
        facts = Facts("JPEG", 1, 1, ".jpg", 1)
        frontier.ledger.end(stored, Stored(Answer(200), "2.jpg", 2, "ab" * 32, facts))
        frontier._turn(0)
        assert frontier.budget.fetched["picture"] == 1

    in_loop(scenario)


def test_where_a_redirect_ended(frontier: Frontier) -> None:
    """A link to there is the same page from then on."""

    def scenario() -> None:
        pages(frontier, 1)
        request = taken(frontier)
        frontier.ledger.end(request, PageRead(Answer(200, "http://a.example/moved"), 0, 0))
        frontier._turn(0)
        frontier.enqueue_request(attach(Request("http://a.example/moved"), Note(parent=1)))
        frontier._turn(0)
        assert states(frontier) == [State.done]

    in_loop(scenario)


def test_redirect_that_came_back(frontier: Frontier) -> None:
    """Where it ended is told from where it began, not from the last address that was asked for."""

    def scenario() -> None:
        pages(frontier, 1)
        first = taken(frontier)
        note = note_of(first)
        assert note is not None
        moved = first.replace(url="http://a.example/moved", dont_filter=True)
        frontier.enqueue_request(attach(moved, note._replace(redirects=(first.url,))))
        frontier.ledger.end(taken(frontier), PageRead(Answer(200, moved.url), 0, 0))
        frontier._turn(0)
        frontier.enqueue_request(attach(Request(moved.url), Note(parent=1)))
        frontier._turn(0)
        assert states(frontier) == [State.done]

    in_loop(scenario)


def test_what_gathers_is_written_in_time(frontier: Frontier) -> None:
    """While there is enough to hand out in memory, too; and not with every request."""
    frontier.out_size = 3

    def scenario() -> None:
        pages(frontier, 1, 2, 3, 4)
        taken(frontier)
        pages(frontier, 5)
        frontier._turned_monotonic_seconds = time.monotonic() + 60
        taken(frontier)
        assert len(states(frontier)) == 4
        frontier._turned_monotonic_seconds = time.monotonic() - 2 * TURN_SECONDS
        assert taken(frontier).url == "http://a.example/3"
        assert len(states(frontier)) == 5

    in_loop(scenario)


def test_hosts_in_memory(frontier: Frontier) -> None:
    """Those of rows taken out, and of requests that come again."""

    def scenario() -> None:
        pages(frontier, 1)
        frontier.enqueue_request(taken(frontier).replace(dont_filter=True))
        frontier.enqueue_request(attach(Request(OTHER), Note(layer=1, kind="picture", parent=1)))
        frontier._turn(2)
        assert frontier._hosts_in_memory() == {"a.example:80", "other.example:80"}

    in_loop(scenario)


def test_better_sighting_lifts_a_row(tmp_path: Path) -> None:
    """In best order a page that is linked again as more promising comes sooner; as less promising it stays."""
    store = Store(OutputFolder(tmp_path).store_url)
    begin(store, None, "{}")
    frontier = frontier_of(store, "best")

    def scenario() -> None:
        frontier.open(Reader())
        for number, priority in ((1, 9), (2, 8), (3, 7)):
            frontier.enqueue_request(attach(Request(f"http://a.example/{number}"), Note(priority=priority)))
        frontier._turn(0)
        for number, priority in ((3, 20), (3, 10), (1, 1)):
            assert not frontier.enqueue_request(
                attach(Request(f"http://a.example/{number}"), Note(priority=priority, repeats=False))
            )
        assert frontier.batch.lifts == {3: 20, 1: 1}
        assert [taken(frontier).url[-1] for _ in range(3)] == ["3", "1", "2"]

    in_loop(scenario)
    frontier.lookups.close()
    store.close()


def test_turn_in_a_thread_keeps_the_crawl_open(database: str) -> None:
    """While sightings are on their way into a shared store it is not known whether anything is left."""
    store = Store(database)
    begin(store, None, "{}")
    frontier = frontier_of(store)

    async def crawl() -> None:
        frontier.open(Reader())
        pages(frontier, 1)
        with pytest.raises(DontCloseSpider):
            frontier.idle(Reader())
        assert frontier.has_pending_requests()
        await deferred_to_future(frontier.close("finished"))
        assert states(frontier) == [State.waiting]

    asyncio.run(crawl())
    store.close()
