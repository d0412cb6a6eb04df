from __future__ import annotations

from dataclasses import fields

import pytest

from picspider.frontier.turn.batch import Batch
from picspider.records import Answer, Lost, Sighting

SIGHTING = Sighting("http://a/1", 1, "a:80", 1, 1, "page", 0, 0, 0, "", 0, 0)


def test_what_is_poured_out_is_gone() -> None:
    """All of it is in the new batch; the old one goes on empty, and what comes into it is not in the new one."""
    batch = Batch([SIGHTING], [(1, SIGHTING)], {1: Lost(Answer(), "http", "gone")}, {7: 1}, [2], {3: 4})
    poured = batch.poured_out()
    assert poured == Batch([SIGHTING], [(1, SIGHTING)], {1: Lost(Answer(), "http", "gone")}, {7: 1}, [2], {3: 4})
    assert batch == Batch()
    assert not batch
    batch.give_back.append(5)
    assert poured.give_back == [2]
    assert all(getattr(batch, field.name) is not getattr(poured, field.name) for field in fields(Batch))


@pytest.mark.parametrize(
    "batch",
    [
        Batch([SIGHTING]),
        Batch(repeats=[(1, SIGHTING)]),
        Batch(outcomes={1: Lost(Answer(), "http", "gone")}),
        Batch(give_back=[1]),
        Batch(lifts={1: 2}),
    ],
)
def test_what_is_worth_a_turn(batch: Batch) -> None:
    """Anything that would change a row; aliases come with an outcome."""
    assert batch
    assert not Batch()
