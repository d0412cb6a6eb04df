"""What is said to the ledger, over a real store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from scrapy import Request, Spider
from scrapy.utils.test import get_crawler
from sqlalchemy import select

from picspider.frontier.budget import Budget
from picspider.frontier.dupefilter import PairDupeFilter
from picspider.frontier.row_ledger import RowLedger
from picspider.frontier.run.beginning import begin
from picspider.frontier.run.renewing import mark_for_retry
from picspider.frontier.store.store import Store
from picspider.frontier.turn.batch import Batch, Want
from picspider.frontier.turn.lookups import Lookups
from picspider.frontier.turn.turn import turn
from picspider.output_folder import OutputFolder
from picspider.records import Answer, Facts, Lost, Outcome, PageRead, Repeated, Sighting, Stored
from picspider.schema import State, node
from picspider.visit import Note, attach

SHA, OTHER = "ab" * 32, "cd" * 32
FACTS = Facts("JPEG", 10, 20, ".jpg", 4000)
ANSWER = Answer(200, "http://a/final", 3)


class Made:
    """A ledger of a crawl with a page, row 1, and pictures below it, rows 2 to 6, all under way."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(OutputFolder(folder).store_url)
        begin(self.store, None, "{}")
        self.dupefilter = PairDupeFilter.from_crawler(get_crawler(Spider))
        key_of = self.dupefilter.key_of
        urls = [f"http://a/{row}.jpg?t=1" for row in range(2, 7)]
        below = [
            Sighting(url, key_of(url, "picture"), "a:80", 1, 1, "picture", 1, n, 0, "", 0, 0)
            for n, url in enumerate(urls)
        ]
        page = Sighting("http://a/", key_of("http://a/"), "a:80", 0, 1, "page", 0, 0, 0, "", 0, 0)
        turn(self.store, Batch([page, *below]), Want(9))
        self.calls: list[str] = []
        self.lookups = Lookups(self.store)
        self.ledger = RowLedger(
            self.store, self.lookups, self.dupefilter, Budget(), Batch(),
            write=lambda: self.calls.append("write"), changed=lambda: self.calls.append("changed"),
        )  # fmt: skip

    def end(self, row: int, outcome: Outcome) -> None:
        """Say what became of a row."""
        self.ledger.end(attach(Request("http://a/"), Note(row)), outcome)

    def written(self, **outcomes: Outcome) -> None:
        """Write ends, by "row_N"."""
        ends = {int(name.removeprefix("row_")): outcome for name, outcome in outcomes.items()}
        turn(self.store, Batch(outcomes=ends), Want(0))

    def ends(self) -> dict[int, tuple[State, str | None]]:
        """What the table says of the rows."""
        with self.store.transaction() as connection:
            rows = connection.execute(select(node.c.id, node.c.state, node.c.reason)).all()
        return {row.id: (State(row.state), row.reason) for row in rows}


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Made]:
    """A ledger."""
    made = Made(tmp_path)
    yield made
    made.lookups.close()
    made.store.close()


def test_what_is_said_of_a_request(made: Made) -> None:
    """The last word counts; the bytes of what was stored are added up; a request without a note is nobody's."""
    made.end(2, Lost(ANSWER, "http", "gone"))
    made.end(2, Stored(ANSWER, "2.jpg", 2, SHA, FACTS))
    made.end(3, Stored(ANSWER, "3.jpg", 3, OTHER, FACTS))
    made.ledger.end(Request("http://a/"), PageRead(ANSWER, 0, 0))
    assert {row: type(outcome) for row, outcome in made.ledger.ended.items()} == {2: Stored, 3: Stored}
    assert made.ledger.budget.received_bytes == 2 * FACTS.bytes


def test_row_of_a_url(made: Made) -> None:
    """By the memory of what was seen, else by the table; 0 on its way there, None when it is new."""
    made.dupefilter.learn({"http://b/": (77, 1)})
    key = made.dupefilter.key_of("http://c/")
    made.ledger.batch.sightings.append(Sighting("http://c/", key, "c:80", 0, 1, "page", 0, 0, 0, "", 0, 0))
    assert [made.ledger.row_of(f"http://{host}/") for host in "abcd"] == [1, 77, 0, None]
    made.end(1, PageRead(Answer(200, "http://d/#top"), 3, 0))
    assert [made.ledger.row_of(f"http://{host}/") for host in "de"] == [1, None], "a redirect led there just now"


def test_content_that_is_taken_back(made: Made) -> None:
    """What was said and what is written, stored or repeated, becomes a failure with the same answer; its files are told
    once each.
    """
    made.written(row_2=Stored(ANSWER, "2.jpg", 2, SHA, FACTS), row_3=Repeated(ANSWER, 2, "content", SHA))
    made.end(4, Stored(ANSWER, "4.jpg", 4, SHA, FACTS))
    made.end(5, Repeated(ANSWER, 2, "content", SHA))
    other = Stored(ANSWER, "6.jpg", 6, OTHER, FACTS)
    made.end(6, other)
    assert sorted(made.ledger.revoke(SHA, "a stand-in")) == ["2.jpg", "4.jpg"]
    lost = Lost(ANSWER, "placeholder", "a stand-in")
    assert made.ledger.ended == {4: lost, 5: lost, 6: other}
    assert made.calls == ["write"]
    assert {made.ends()[row] for row in (2, 3)} == {(State.error, "placeholder")}


def test_taken_back_too_early(made: Made) -> None:
    """Of the rows named those that are in the table as taken back are fetched again, and told."""
    lost = Lost(ANSWER, "placeholder", "a stand-in")
    made.end(4, lost)
    assert (made.ledger.reopen({2, 4}), made.calls) == (set(), ["write"])
    made.written(row_2=lost, row_3=lost, row_5=Lost(ANSWER, "http", "gone"))
    assert (made.ledger.reopen({2, 4, 5}), made.calls) == ({2}, ["write", "write", "changed"])
    assert [made.ends()[row] for row in (2, 3)] == [(State.waiting, None), (State.error, "placeholder")]


def test_another_referer(made: Made) -> None:
    """It is remembered, and the failures of the host are asked for again, if there are any."""
    made.ledger.ask_differently("a:80", "origin")
    assert (made.ledger.referers, made.calls) == ({"a:80": "origin"}, ["write"])
    made.written(row_2=Lost(ANSWER, "placeholder", "a stand-in"))
    made.ledger.ask_differently("a:80", "none")
    assert (made.ledger.referers, made.calls) == ({"a:80": "none"}, ["write", "write", "changed"])
    assert made.ends()[2] == (State.waiting, None)


def test_fresh_addresses(made: Made) -> None:
    """The pictures that wait for them are told, and fetched from there."""
    made.written(row_2=Lost(Answer(403), "http", "refused"))
    with made.store.transaction() as connection:
        mark_for_retry(connection, [2])
    assert made.ledger.expired_below(1) == [(2, "http://a/2.jpg?t=1")]
    assert not made.ledger.renew([])
    assert made.calls == []
    made.ledger.renew([(2, "http://a/2.jpg?t=2")])
    assert made.calls == ["changed"]
    assert made.ledger.expired_below(1) == []
    fresh = select(node.c.id).where(node.c.key == made.dupefilter.key_of("http://a/2.jpg?t=2", "picture"))
    assert made.store.connection.scalar(fresh) == 2
