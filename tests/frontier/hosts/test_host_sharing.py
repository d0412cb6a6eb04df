from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.core.engine import ExecutionEngine
from scrapy.utils.test import get_crawler
from sqlalchemy import select

from picspider.fetch.downloader import Downloader
from picspider.frontier.hosts.host_sharing import HostSharing
from picspider.frontier.run.beginning import begin
from picspider.frontier.store.store import Store
from picspider.output_folder import OutputFolder
from picspider.schema import host_share

HOST = "h.example:80"
LIMIT = 6
PATIENCE_SECONDS = 15


class Worker:
    """A worker with its downloader, which wants `hosts`."""

    def __init__(self, url: str, **settings: object) -> None:
        self.store = Store(url)
        begin(self.store, None, "{}")
        handlers = dict.fromkeys(("http", "https", "s3", "ftp", "file", "data"))
        base = {"DOWNLOADER": Downloader, "CONCURRENT_REQUESTS_PER_DOMAIN": LIMIT, "DOWNLOAD_HANDLERS": handlers}
        crawler = get_crawler(Spider, {**base, **settings})
        crawler.spider = crawler._create_spider("test")
        crawler.engine = ExecutionEngine(crawler, lambda _: None)
        downloader: Any = crawler.engine.downloader
        self.downloader: Downloader = downloader
        self.hosts = {HOST}
        self.sharing = HostSharing(crawler, self.store, lambda: self.hosts)
        self.sharing.start()

    def free(self) -> int:
        """How many requests may start."""
        return self.downloader.free_places(HOST)

    def lines(self) -> dict[str, tuple[int, float]]:
        """What the table holds for each worker: places, and how long the host is held."""
        with self.store.transaction() as connection:
            rows = connection.execute(select(host_share)).all()
        return {row.worker: (row.places, row.held_until - time.time()) for row in rows}

    async def close(self) -> None:
        """The worker leaves."""
        await self.sharing.stop()
        self.downloader.close()
        with self.store.transaction() as connection:
            assert self.store.worker not in connection.scalars(select(host_share.c.worker)).all()
        self.store.leave()
        self.store.close()


async def until(condition: Callable[[], bool]) -> None:
    """Wait for it."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < end, "it does not come"
        await asyncio.sleep(0.02)


def together(scenario: Callable[[], Awaitable[None]]) -> None:
    """Run *scenario* in a loop of its own."""

    async def main() -> None:
        await scenario()

    asyncio.run(main())


def test_places_come_and_go(database: str) -> None:
    """One alone gets all places of a host, two share them, and who has left or wants nothing any more has none."""

    async def scenario() -> None:
        first = Worker(database)
        assert first.free() == 0, "none before the store has granted it"
        await until(lambda: first.free() == LIMIT)
        second = Worker(database)
        await until(lambda: first.free() == second.free() == LIMIT // 2)
        await until(lambda: [places for places, _ in first.lines().values()] == [LIMIT // 2] * 2)
        second.hosts = set()
        await until(lambda: first.free() == LIMIT and second.store.worker not in first.lines())
        assert second.free() == 0
        second.hosts = {HOST}
        await until(lambda: first.free() == second.free() == LIMIT // 2)
        await second.close()
        await until(lambda: first.free() == LIMIT)
        await first.close()

    together(scenario)


def test_transfers_keep_their_places(database: str) -> None:
    """What is under way goes on; its place is the other one's when it has ended."""

    async def scenario() -> None:
        first = Worker(database)
        await until(lambda: first.free() == LIMIT)
        requests = [Request(f"http://h.example/{n}") for n in range(LIMIT)]
        for request in requests:
            assert first.downloader.begin(request).take(request) is None
        second = Worker(database)
        await until(lambda: second.store.worker in first.lines())
        await asyncio.sleep(1.5)
        assert second.free() == 0
        slot = first.downloader.slots[HOST]
        for request in requests[:4]:
            slot.release(request)
            slot.active.discard(request)
        await until(lambda: (first.free(), second.free()) == (LIMIT // 2 - 2, LIMIT // 2))
        await second.close()
        await first.close()

    together(scenario)


def test_places_are_kept_for_a_moment(database: str) -> None:
    """A host whose last request has ended is wanted a while longer, unless its starts are to be some time apart."""

    async def scenario() -> None:
        plain, slow = Worker(database), Worker(database, DOWNLOAD_DELAY=0.1)
        slow.hosts = {"slow.example:80"}
        await until(lambda: plain.free() == LIMIT and slow.downloader.free_places("slow.example:80") > 0)
        plain.hosts, slow.hosts = set(), set()
        await until(lambda: slow.store.worker not in plain.lines())
        assert plain.store.worker in plain.lines()
        await until(lambda: plain.store.worker not in plain.lines())
        await plain.close()
        await slow.close()

    together(scenario)


def test_host_with_a_delay_is_asked_by_one(database: str) -> None:
    """The other one has no place until the first wants none."""

    async def scenario() -> None:
        first = Worker(database, DOWNLOAD_DELAY=0.1)
        await until(lambda: first.free() > 0)
        second = Worker(database, DOWNLOAD_DELAY=0.1)
        await until(lambda: second.store.worker in first.lines())
        await asyncio.sleep(0.7)
        assert (first.lines()[first.store.worker][0], second.free()) == (LIMIT, 0)
        first.hosts = set()
        await until(lambda: second.free() > 0)
        await second.close()
        await first.close()

    together(scenario)


def test_holds_are_told_on_once(database: str) -> None:
    """A host that asked one worker to wait is left alone by the other, who does not tell it as a wish of its own."""

    async def scenario() -> None:
        first, second = Worker(database), Worker(database)
        await until(lambda: first.free() == second.free() == LIMIT // 2)
        first.downloader.hold(HOST, 20)
        await until(lambda: second.downloader.seconds_until_ready(HOST) > 10)
        assert first.downloader.seconds_until_ready(HOST) <= 20
        assert second.downloader.seconds_until_ready(HOST) < 20.5
        await asyncio.sleep(1.2)
        assert second.lines()[second.store.worker][1] <= 0
        assert 10 < second.lines()[first.store.worker][1] < 20
        second.downloader.hold(HOST, 40)
        await until(lambda: first.downloader.seconds_until_ready(HOST) > 30)
        await asyncio.sleep(1.2)
        assert second.lines()[second.store.worker][1] > 30, "its own hold is the longer one"
        await second.close()
        await first.close()

    together(scenario)


def test_store_that_does_not_answer(database: str, caplog: pytest.LogCaptureFixture) -> None:
    """What was granted before stays, the next answer counts, and the end of the run is none of its business."""

    async def scenario() -> None:
        worker = Worker(database)
        await until(lambda: worker.free() == LIMIT)
        host_share.drop(worker.store.engine)
        await until(lambda: "gave no answer about the hosts' places" in caplog.text)
        assert worker.free() == LIMIT
        host_share.create(worker.store.engine)
        await until(lambda: bool(worker.lines()))
        host_share.drop(worker.store.engine)
        caplog.clear()
        with suppress(Exception):
            await worker.close()
        assert "gave no answer about the hosts' places" in caplog.text
        worker.store.close()

    with caplog.at_level(logging.WARNING):
        together(scenario)


def test_store_of_one_worker(tmp_path: Path) -> None:
    """There is nobody to share with: the downloader keeps its own limits."""

    async def scenario() -> None:
        worker = Worker(OutputFolder(tmp_path).store_url)
        assert worker.free() == LIMIT
        await worker.close()

    together(scenario)
