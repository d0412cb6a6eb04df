from __future__ import annotations

from picspider.frontier.budget import Budget


def test_pages_and_pictures_are_counted_apart() -> None:
    """A limit of pages leaves pictures alone, and what did not count after all is given back."""
    budget = Budget(pages=1, pictures=2)
    budget.spend("page")
    assert not budget.allows("page")
    assert budget.allows("picture")
    budget.spend("picture")
    budget.spend("picture")
    assert not budget.allows("picture")
    budget.refund("picture")
    assert budget.allows("picture")


def test_what_was_reached() -> None:
    """The limits that are used up are named as in the config."""
    budget = Budget(pages=5, pictures=2, size_bytes=10)
    assert budget.reached() == {}
    budget.received_bytes = 11
    budget.fetched["picture"] = 2
    assert budget.reached() == {"limits.pictures": 2, "limits.bytes": 10}


def test_bytes_and_seconds_end_everything() -> None:
    """When the bytes or the seconds are used up nothing more may be fetched, of whatever kind."""
    by_bytes = Budget(size_bytes=10)
    by_bytes.received_bytes = 10
    assert by_bytes.spent
    assert not by_bytes.allows("page")
    by_time = Budget(seconds=5)
    by_time.started -= 6
    assert not by_time.allows("picture")
