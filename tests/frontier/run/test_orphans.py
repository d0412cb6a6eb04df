"""Repeats of a picture that was lost after its bytes had come."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from picspider.frontier.run.beginning import begin
from picspider.frontier.store.store import Store
from picspider.frontier.turn.batch import Batch, Want
from picspider.frontier.turn.turn import turn
from picspider.output_folder import OutputFolder
from picspider.records import Answer, Facts, Lost, Outcome, Repeated, Sighting, Stored
from picspider.schema import IS_WAITING, node, repeat

SHA = "ab" * 32
LOST = Lost(Answer(200), "storage", "the disk is full")
SAME = Repeated(Answer(200), 1, "content", SHA)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store with three pictures that are being fetched, rows 1 to 3."""
    store = Store(OutputFolder(tmp_path).store_url)
    begin(store, None, "{}")
    sightings = [Sighting(f"http://a/{n}.jpg", n, "a:80", 1, 1, "picture", 9, n, 0, "", 0, 0) for n in (101, 102, 103)]
    assert [row.id for row in turn(store, Batch(sightings=sightings), Want(3)).rows] == [1, 2, 3]
    yield store
    store.close()


@pytest.mark.parametrize("turns", [[{1: LOST, 2: SAME}], [{1: LOST}, {2: SAME}], [{2: SAME}, {1: LOST}]])
def test_same_as_what_is_lost(store: Store, turns: list[dict[int, Outcome]]) -> None:
    """It is fetched again, whichever of the two is written first."""
    reopened = [turn(store, Batch(outcomes={**outcomes}), Want(0)).reopened for outcomes in turns]
    assert sum(reopened) == 1
    with store.transaction() as connection:
        assert connection.scalars(select(node.c.id).where(IS_WAITING)).all() == [2]
        assert connection.scalars(select(repeat.c.id)).all() == []


def test_same_as_what_is_stored(store: Store) -> None:
    """It stays, whatever else is lost."""
    stored = Stored(Answer(200), "a.jpg", 7, SHA, Facts("JPEG", 1, 1, ".jpg", 1))
    assert turn(store, Batch(outcomes={1: stored, 2: SAME, 3: LOST}), Want(0)).reopened == 0
    with store.transaction() as connection:
        assert connection.scalars(select(repeat.c.later)).all() == [2]
