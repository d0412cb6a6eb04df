"""The scheduler by itself: what it hands out, with a real downloader that says which hosts have to wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.core.engine import ExecutionEngine
from scrapy.utils.test import get_crawler

from picspider.frontier.beginning import begin
from picspider.frontier.dupefilter import PairDupeFilter
from picspider.frontier.renewing import mark_for_retry
from picspider.frontier.scheduler import Frontier
from picspider.frontier.store import Store
from picspider.output_folder import OutputFolder
from picspider.records import Answer, Lost
from picspider.visit import Note, attach, note_of

SLOW, OTHER = "http://slow.example/1.jpg", "http://other.example/2.jpg?token=old"
PAGE = "http://slow.example/"


class Reader(Spider):
    """A spider whose requests the frontier takes for picspider's own."""

    name = "reader"
    reads_notes = True


@pytest.fixture
def frontier(tmp_path: Path) -> Iterator[Frontier]:
    """The frontier of a new crawl, with picspider's downloader in the engine."""
    store = Store(OutputFolder(tmp_path).store_url)
    begin(store, None, "{}")
    settings = {
        "DOWNLOADER": "picspider.fetch.downloader.Downloader",
        "DOWNLOAD_HANDLERS": dict.fromkeys(("http", "https")),  # nothing is sent
        "PICSPIDER_OUT_BUFFER": 2,
    }
    crawler = get_crawler(Reader, settings)
    crawler.spider = Reader()
    crawler.engine = ExecutionEngine(crawler, lambda _: None)
    frontier = Frontier(crawler, store, PairDupeFilter.from_crawler(crawler))
    frontier.open(crawler.spider)
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
