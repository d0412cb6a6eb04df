from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from sqlalchemy import select

from picspider.frontier.run.beginning import begin
from picspider.frontier.store.store import Store
from picspider.frontier.turn.batch import Batch, Want
from picspider.frontier.turn.lookups import Lookups
from picspider.frontier.turn.shared_claims import SharedClaims
from picspider.frontier.turn.turn import turn
from picspider.records import Answer, Facts, Lost, Sighting, Stored
from picspider.schema import claim

SHA, OTHER = "ab" * 32, "ab" * 8 + "cd" * 24
FACTS = Facts("JPEG", 10, 10, ".jpg", 100)


class Worker:
    """A worker of a shared store with its claims."""

    def __init__(self, database: str) -> None:
        self.store = Store(database)
        self.lookups = Lookups(self.store)
        assert isinstance(self.lookups.claims, SharedClaims)
        self.claims = self.lookups.claims

    def names(self, *wishes: tuple[int, int]) -> list[bool]:
        """Claim names at once, as (key, row)."""

        async def all_of_them() -> list[bool]:
            return list(await asyncio.gather(*(self.claims.name(key, row) for key, row in wishes)))

        return asyncio.run(all_of_them())

    def content(self, sha256: str, row: int) -> int | None:
        """Claim a content."""
        return asyncio.run(self.claims.content(sha256, row))

    def claimed(self) -> set[tuple[str, int]]:
        """What the table of claims holds."""
        with self.store.transaction() as connection:
            return {(row.what, row.node) for row in connection.execute(select(claim))}


@pytest.fixture
def workers(database: str) -> Iterator[tuple[Worker, Worker]]:
    """Two workers, and three pictures that are being fetched."""
    both = Worker(database), Worker(database)
    begin(both[0].store, None, "{}")
    sightings = [Sighting(f"http://a/{n}.jpg", n, "a:80", 1, 1, "picture", 0, n, 0, "", 0, 0) for n in (101, 102, 103)]
    turn(both[0].store, Batch(sightings=sightings), Want(3))
    yield both
    for worker in both:
        worker.lookups.close()
        worker.store.close()


def test_many_wishes_at_once(workers: tuple[Worker, Worker]) -> None:
    """What is free is taken, what another holds is not; of two rows of one worker one gets it."""
    first, second = workers
    assert first.names((7, 1), (8, 1)) == [True, True]
    assert second.names((7, 2), (9, 2), (8, 3), (9, 2)) == [False, True, False, True]
    assert sorted(first.names((5, 2), (5, 3))) == [False, True]
    assert first.names((7, 1), (9, 1)) == [True, False]
    assert {what for what, _ in first.claimed()} == {"n5", "n7", "n8", "n9"}


def test_names_and_contents_are_no_matter_to_each_other(workers: tuple[Worker, Worker]) -> None:
    """A content whose number is a name's is claimed apart."""
    first, second = workers
    assert first.names((7, 1)) == [True]
    assert second.content(SHA, 2) is None
    assert first.content(SHA, 1) == 2
    assert second.content(SHA, 2) is None, "one's own claim holds"
    assert second.claimed() == {("n7", 1), (SHA, 2)}


def test_what_is_stored_is_known_for_good(workers: tuple[Worker, Worker]) -> None:
    """The claim of a row goes with its end, and the table of pictures answers; nothing is left claimed in vain."""
    first, second = workers
    assert first.names((7, 1), (8, 3)) == [True, True]
    assert first.content(SHA, 1) is None
    turn(first.store, Batch(outcomes={1: Stored(Answer(200), "x.jpg", 7, SHA, FACTS)}), Want(0))
    assert first.claimed() == {("n8", 3)}
    assert second.names((7, 2)) == [False]
    assert second.content(SHA, 2) == 1
    assert second.content(OTHER, 2) is None, "the first 64 bits alone do not tell"
    assert second.claimed() == {("n8", 3), (OTHER, 2)}
    assert first.names((7, 1)) == [True], "its own name holds when it is fetched again"
    assert first.content(SHA, 1) is None
    turn(first.store, Batch(outcomes={3: Lost(Answer(404), "http", "gone")}), Want(0))
    assert second.names((8, 2)) == [True]


def test_what_is_given_back(workers: tuple[Worker, Worker]) -> None:
    """A row gives back its own, the name, the content, or both."""
    first, second = workers
    assert first.names((7, 1)) == [True]
    assert first.content(SHA, 1) is None
    second.claims.release(2, 7, SHA)
    assert second.names((7, 2)) == [False]
    first.claims.release(1, None, None)
    assert first.claimed() == {("n7", 1), (SHA, 1)}
    first.claims.release(1, 7, None)
    assert first.claimed() == {(SHA, 1)}
    first.claims.release(1, None, SHA)
    assert first.claimed() == set()
