from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from scrapy import Spider
from scrapy.core.engine import ExecutionEngine
from scrapy.crawler import Crawler
from scrapy.utils.test import get_crawler
from sqlalchemy import text

from picspider.frontier.run.beginning import begin
from picspider.frontier.store.store import Store
from picspider.frontier.turn.batch import Batch, Turned, Want
from picspider.frontier.turn.turning import SWITCH_SECONDS, Turner
from picspider.output_folder import OutputFolder
from picspider.records import Sighting
from picspider.schema import node

SIGHTING = Sighting("http://a/1", 1, "a:80", 0, 1, "page", 0, 0, 0, "", 0, 0)


def crawler() -> Crawler:
    """A crawler with an engine that has not begun."""
    made = get_crawler(Spider, {"DOWNLOAD_HANDLERS": dict.fromkeys(("http", "https"))})
    made.spider = Spider("test")
    made.engine = ExecutionEngine(made, lambda _: None)
    return made


class Made:
    """A turner with its store, and the turns that were told as done."""

    def __init__(self, url: str) -> None:
        self.store = Store(url)
        begin(self.store, None, "{}")
        self.done: list[tuple[Batch, Want, Turned]] = []
        self.turner = Turner(crawler(), self.store, lambda *turn: self.done.append(turn))

    def urls(self) -> list[str]:
        """What was taken in the turns."""
        return [row.url for _, _, turned in self.done for row in turned.rows]


def in_loop(scenario: Callable[[], Awaitable[None]]) -> None:
    """Run *scenario* in a loop of its own."""

    async def main() -> None:
        await scenario()

    asyncio.run(main())


def test_turn_of_one_worker(tmp_path: Path) -> None:
    """It is made at once, and told with what it was given."""
    made, batch = Made(OutputFolder(tmp_path).store_url), Batch([SIGHTING])
    made.turner.turn(batch, Want(1))
    assert [(given, want) for given, want, _ in made.done] == [(batch, Want(1))]
    assert made.urls() == ["http://a/1"]
    assert (made.turner.busy, made.turner.broken) == (False, False)
    in_loop(made.turner.finished)
    in_loop(lambda: made.turner.last(Batch(give_back=[1])))
    assert [want for _, want, _ in made.done] == [Want(1), Want(0)]
    made.store.close()


def test_store_that_fails(tmp_path: Path) -> None:
    """No turn is told as done, and none is made after that."""
    made = Made(OutputFolder(tmp_path).store_url)
    node.drop(made.store.engine)
    made.turner.turn(Batch([SIGHTING]), Want(1))
    assert (made.turner.busy, made.turner.broken) == (True, True)
    in_loop(lambda: made.turner.last(Batch()))
    assert made.done == []
    made.store.close()


def test_turns_of_several_workers(database: str) -> None:
    """They are made in a thread, one at a time; the last one is waited for."""
    before = sys.getswitchinterval()
    made = Made(database)
    assert sys.getswitchinterval() == pytest.approx(SWITCH_SECONDS)
    sys.setswitchinterval(before)

    async def scenario() -> None:
        made.turner.turn(Batch([SIGHTING]), Want(1))
        assert (made.turner.busy, made.turner.broken, made.done) == (True, False, [])
        await made.turner.finished()
        assert (made.turner.busy, made.urls()) == (False, ["http://a/1"])
        await made.turner.last(Batch(give_back=[1]))
        assert [want for _, want, _ in made.done] == [Want(1), Want(0)]

    in_loop(scenario)
    made.store.close()


def test_next_turn_may_begin_when_one_is_told(database: str) -> None:
    """Who hears that a turn is done may make another one at once."""
    made = Made(database)
    busy: list[bool] = []

    def told(batch: Batch, want: Want, turned: Turned) -> None:
        busy.append(turner.busy)
        if len(busy) == 1:
            turner.turn(Batch(), Want(1))

    turner = Turner(crawler(), made.store, told)

    async def scenario() -> None:
        turner.turn(Batch([SIGHTING]), Want(0))
        await turner.finished()
        assert busy == [False]

    in_loop(scenario)
    made.store.close()


def test_lost_connection(database: str, caplog: pytest.LogCaptureFixture) -> None:
    """The turn is made on a new one, and told; a database that refuses it ends the turns."""
    made = Made(database)
    with made.store.engine.connect() as other:
        ours = made.store.connection.exec_driver_sql("SELECT pg_backend_pid()").scalar()
        made.store.connection.rollback()
        other.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": ours})

    async def scenario() -> None:
        made.turner.turn(Batch([SIGHTING]), Want(1))
        await made.turner.finished()
        assert made.urls() == ["http://a/1"]
        assert "trying again" in caplog.text
        node.drop(made.store.engine)
        made.turner.turn(Batch([SIGHTING]), Want(1))
        await made.turner.finished()
        assert (made.turner.broken, len(made.done)) == (True, 1)

    with caplog.at_level(logging.WARNING):
        in_loop(scenario)
    made.store.close()
