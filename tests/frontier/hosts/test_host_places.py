"""The places of hosts among workers, settled over a real PostgreSQL."""

from __future__ import annotations

import random
from collections.abc import Iterator
from threading import Thread
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, delete, insert, select

from picspider.frontier.hosts.host_places import Grant, Use, forget, settle
from picspider.frontier.store.store import Store
from picspider.schema import host_share, worker

HOST = "gallery.example:443"
LIMIT = 6


@pytest.fixture
def engine(database: str) -> Iterator[Engine]:
    """The database with its tables, and five living workers."""
    Store(database).close()
    engine = create_engine(database)
    with engine.begin() as connection:
        names = [{"name": name, "seen": 2e9, "run": 1, "idle": 0} for name in "abcde"]
        connection.execute(insert(worker), names)
    yield engine
    engine.dispose()


def ask(engine: Engine, name: str, keep: int, **how: Any) -> Grant:
    """What the worker *name* is granted."""
    with engine.begin() as connection:
        return settle(connection, name, {HOST: Use(LIMIT, keep, **{"wanted": True, **how})})[HOST]


def test_places_are_divided(engine: Engine) -> None:
    """One worker has the whole host; with others each comes to its share as places are given back; all of them sum up
    to the limit.
    """
    assert ask(engine, "a", 0) == Grant(LIMIT, LIMIT)
    assert ask(engine, "b", 0) == Grant(0, 3)
    assert ask(engine, "a", 6).fair == 3
    assert ask(engine, "a", 5).places == 5, "two transfers are still to end"
    assert ask(engine, "b", 0).places == 1
    assert ask(engine, "a", 3).places == 3
    assert ask(engine, "b", 1).places == 3
    assert [ask(engine, name, keep).fair for name, keep in (("c", 0), ("d", 0), ("a", 3), ("b", 3))] == [2, 1, 2, 2]
    ask(engine, "a", 0, wanted=False)
    ask(engine, "b", 0, wanted=False)
    assert ask(engine, "c", 0).places == 3


def test_delay_is_kept_by_one_worker(engine: Engine) -> None:
    """A host with a delay belongs to one worker at a time; the next one has it when that one is done."""
    assert ask(engine, "b", 0, alone=True).places == LIMIT
    assert ask(engine, "a", 0, alone=True).places == 0
    assert ask(engine, "b", LIMIT, alone=True) == Grant(LIMIT, LIMIT)
    ask(engine, "b", 0, wanted=False)
    assert ask(engine, "a", 0, alone=True).places == LIMIT


def test_delay_that_is_set_in_mid_crawl(engine: Engine) -> None:
    """Of two that hold places of the host already the first by name keeps it, and gets all when the other gave up."""
    assert [ask(engine, name, keep).places for name, keep in (("a", 3), ("b", 3))] == [LIMIT, 3]
    ask(engine, "a", 3)
    assert ask(engine, "b", 3, alone=True) == Grant(3, 0)
    assert ask(engine, "a", 3, alone=True) == Grant(3, LIMIT)
    assert ask(engine, "b", 0, alone=True) == Grant(0, 0)
    assert ask(engine, "a", 3, alone=True) == Grant(LIMIT, LIMIT)


def test_holds_are_told_to_others(engine: Engine) -> None:
    """A host that asked one worker to wait is left alone by the others too."""
    ask(engine, "a", 0, hold_seconds=30)
    assert 25 < ask(engine, "b", 0).hold_seconds <= 30
    assert 25 < ask(engine, "b", 0, wanted=False).hold_seconds <= 30
    ask(engine, "c", 0, hold_seconds=5)
    assert 25 < ask(engine, "b", 0).hold_seconds <= 30
    assert 25 < ask(engine, "b", 0, wanted=False).hold_seconds <= 30
    ask(engine, "a", 0)
    ask(engine, "c", 0)
    assert ask(engine, "b", 0).hold_seconds == 0


def test_places_of_the_dead_are_free(engine: Engine) -> None:
    """What a worker held goes to the others once it is taken for dead, or has left."""
    assert ask(engine, "a", 0).places == LIMIT
    with engine.begin() as connection:
        connection.execute(delete(worker).where(worker.c.name == "a"))
    assert ask(engine, "b", 0).places == LIMIT
    with engine.begin() as connection:
        forget(connection, "b")
        assert connection.scalars(select(host_share.c.worker)).all() == []
    assert ask(engine, "c", 0).places == LIMIT


def test_limit_holds_at_every_moment(engine: Engine) -> None:
    """Five workers that come, go, and end transfers at random never have more under way than the limit."""
    draw = random.Random(4)
    under_way = dict.fromkeys("abcde", 0)
    grants = dict.fromkeys("abcde", Grant(0, 0))
    fetched = dict.fromkeys("abcde", 0)
    for _ in range(400):
        name = draw.choice("abcde")
        wanted = under_way[name] > 0 or draw.random() < 0.7
        keep = grants[name].places
        if keep > grants[name].fair or not wanted:
            keep = max(grants[name].fair if wanted else 0, under_way[name])
        grants[name] = ask(engine, name, keep, wanted=wanted)
        start = max(0, min(grants[name].places, grants[name].fair) - under_way[name])
        under_way[name] += draw.randint(0, start)
        fetched[name] += under_way[name]
        assert sum(under_way.values()) <= LIMIT
        ended = draw.choice("abcde")
        under_way[ended] -= draw.randint(0, under_way[ended])
    assert all(fetched.values()), "everybody had a turn"


def test_workers_settle_one_after_the_other(engine: Engine) -> None:
    """Two that ask at once never read the same lines: the second waits until the first has written its own."""
    granted: list[Grant] = []
    thread = Thread(target=lambda: granted.append(ask(engine, "b", 0)))
    with engine.begin() as connection:
        assert settle(connection, "a", {HOST: Use(LIMIT, 0, wanted=True)})[HOST].places == LIMIT
        thread.start()
        thread.join(0.5)
        assert granted == []
    thread.join(10)
    assert granted == [Grant(0, 3)]


def test_hosts_that_are_not_asked_for_keep_their_lines(engine: Engine) -> None:
    """A worker has a line for each host that it wants, holds, or has places of; it is no matter to other hosts."""
    uses = {
        "x:80": Use(4, 1, wanted=True),
        "y:80": Use(4, 0, wanted=False, hold_seconds=60),
        "z:80": Use(4, 2, wanted=False),
    }
    with engine.begin() as connection:
        settle(connection, "a", {**uses, "nothing:80": Use(4, 0, wanted=False)})
        settle(connection, "a", {"x:80": Use(4, 0, wanted=False)})
        settle(connection, "b", {"y:80": Use(4, 0, wanted=True)})
        rows = connection.execute(select(host_share.c.host, host_share.c.worker, host_share.c.places)).all()
        assert sorted(rows) == [("y:80", "a", 0), ("y:80", "b", 2), ("z:80", "a", 2)]
