"""Chains of next pages: what comes again in them."""

from __future__ import annotations

from picspider.strategy.chains import Chains
from picspider.strategy.layers import Look
from picspider.visit import Note


def chains() -> Chains:
    """Chains of which the store knows nothing yet."""
    return Chains(lambda _row: {})


def test_a_page_that_shows_the_same_again_is_a_repeat_of_the_earlier_one() -> None:
    """The later page is told from the earlier one by its links."""
    met = chains()
    assert met.same_before(Note(id=1, chain=1), Look(content=7)) == 0
    assert met.same_before(Note(id=2, chain=1, page=2), Look(content=7)) == 1


def test_the_first_page_is_no_repeat_when_a_later_one_is_read_first() -> None:
    """A finished chain is read again in any order; its first page stays the original."""
    met = chains()
    assert met.same_before(Note(id=2, chain=1, page=2), Look(content=7)) == 0
    assert met.same_before(Note(id=1, chain=1), Look(content=7)) == 0
    assert met.same_before(Note(id=3, chain=1, page=3), Look(content=7)) == 1
