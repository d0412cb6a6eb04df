from __future__ import annotations

from pathlib import Path

import pytest

from picspider.commands.opening import opened
from picspider.report.harvest import PIECES, Harvest, harvest_of
from picspider.report.summary import summary_of
from tests.report.made_store import MadeStore


def harvest(tmp_path: Path, scores: list[float | None]) -> Harvest | None:
    """That of a crawl whose pages have these scores, in the order they were judged; above 2 is relevant."""
    store = MadeStore()
    for number, score in enumerate(scores):
        reason = "off-topic" if score is not None and score <= 2 else None
        store.row(f"https://a.example/{number}", "", 1, 0, score=score, reason=reason)
    with opened(store.write(tmp_path / "out")) as view:
        return harvest_of(view.connection)


def test_pages_are_counted_in_the_order_they_were_judged(tmp_path: Path) -> None:
    """Twenty relevant pages, then twenty others: the pieces say so, and add up."""
    found = harvest(tmp_path, [3.0] * 20 + [1.0] * 20)
    assert found is not None
    assert (found.fetched, found.relevant, found.rate) == (40, 20, 0.5)
    assert found.fetched_by_piece == (4,) * 10
    assert found.relevant_by_piece == (4,) * 5 + (0,) * 5


@pytest.mark.parametrize("count", [1, 9, 61, 2017])
def test_pieces_are_few_and_none_is_empty(count: int, tmp_path: Path) -> None:
    """However many pages there are, the pieces hold all of them."""
    found = harvest(tmp_path, [4.0] * count)
    assert found is not None
    assert sum(found.fetched_by_piece) == sum(found.relevant_by_piece) == count
    assert len(found.fetched_by_piece) <= PIECES
    assert min(found.fetched_by_piece) > 0


def test_without_judged_pages_there_is_no_harvest(tmp_path: Path) -> None:
    """A crawl by layers without a topic has none, and its summary says so."""
    assert harvest(tmp_path, [None, None]) is None
    with opened(tmp_path / "out") as view:
        assert summary_of(view.connection).harvest is None
