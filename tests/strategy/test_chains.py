"""Chains of next pages: where one ends that would go on for ever, judged in the order of the chain."""

from __future__ import annotations

from itertools import permutations

import pytest

from picspider.records import ChainPage
from picspider.strategy.chains import MOST_DRY_PAGES, MOST_REPEATED_PAGES, ChainEnd, Chains
from picspider.strategy.layers import HALF_BITS, Look
from picspider.visit import Note


def shown(urls: int, words: int = 1) -> Look:
    """What a page shows; nothing when *urls* is 0."""
    return Look(content=urls << HALF_BITS | words if urls else 0)


def page(number: int) -> Note:
    """The *number*-th page of the chain; its row has the same number."""
    return Note(id=number, chain=1, page=number, parent=number - 1)


def ends(looks: list[Look]) -> list[ChainEnd | None]:
    """What is said of each page of a chain that is read for the first time."""
    chains = Chains(lambda _row: None)
    return [chains.end_at(page(number), look) for number, look in enumerate(looks, 1)]


@pytest.mark.parametrize("again", [[3, 3, 3], [1, 1, 1], [1, 2, 3], [3, 2, 3]])
def test_pages_that_come_again(again: list[int]) -> None:
    """The last page for any number, the first one, or all in turn: so many in a row end the chain, one less do not."""
    assert len(again) == MOST_REPEATED_PAGES
    pages = [shown(urls) for urls in (1, 2, 3, *again)]
    assert ends(pages) == [None] * 5 + [ChainEnd.repeated]
    assert set(ends([*pages[:5], shown(9), *pages[:2]])) == {None}


def test_a_few_links_on_top_of_every_page() -> None:
    """A chain that begins with pages alike goes on as long as words differ."""
    assert set(ends([shown(1, words) for words in range(1, 50)])) == {None}


def test_any_order() -> None:
    """A finished chain that is read again is judged alike, whichever of its pages answers first."""
    looks = [shown(urls) for urls in (1, 2, 2, 2, 2)]
    stored = {number: ChainPage(number - 1, look.content) for number, look in enumerate(looks, 1)}
    for order in permutations(range(1, 6)):
        chains = Chains(stored.get)
        said = {number: chains.end_at(page(number), looks[number - 1]) for number in order}
        assert [said[number] for number in range(1, 6)] == [None] * 4 + [ChainEnd.repeated]


def test_what_the_pages_show_now() -> None:
    """Of a page that was read again the store's word does not count any more; one never read is not known."""
    stored = {number: ChainPage(number - 1, shown(2).content) for number in range(1, 6)}
    chains = Chains(stored.get)
    assert chains.end_at(page(5), shown(2)) is ChainEnd.repeated
    for number in (3, 4):
        chains.end_at(page(number), shown(number))
    assert chains.end_at(page(5), shown(2)) is None
    stored[4] = ChainPage(3, None)
    assert Chains(stored.get).end_at(page(5), shown(2)) is None


@pytest.mark.parametrize("before", [[], [shown(5)], [shown(5), shown(6)]])
@pytest.mark.parametrize("dry", [lambda _number: shown(0), lambda number: shown(7, number)])
def test_pages_without_anything_new(before: list[Look], dry: object) -> None:
    """So many in a row that offer nothing, or what the page above them does, end it; something new in between not."""
    assert callable(dry)
    first = 1 if dry(1).content or before else 0
    pages = [*before, *(dry(number) for number in range(MOST_DRY_PAGES + (first if dry(1).content else 0)))]
    said = ends(pages)
    assert said == [None] * (len(pages) - 1) + [ChainEnd.dry]
    pages[MOST_DRY_PAGES // 2] = shown(99)
    assert set(ends(pages)) == {None}


def test_chains_beside_it() -> None:
    """Each chain is judged by its own pages only, and of several next pages of one page each by that page."""
    chains = Chains(lambda _row: None)
    for row in range(1, 9):
        assert chains.end_at(Note(id=row, chain=row, parent=77), shown(1)) is None
    for row in range(11, 19):
        assert chains.end_at(Note(id=row, chain=1, page=2, parent=1), shown(1)) is None


def test_pages_of_each_other() -> None:
    """Two pages that are noted as each other's parent are no chain without end."""
    stored = {2: ChainPage(3, 9 << HALF_BITS), 3: ChainPage(2, 9 << HALF_BITS)}
    chains = Chains(stored.get)
    assert chains.end_at(Note(id=2, chain=1, page=2, parent=3), shown(9)) is None
    assert chains.end_at(Note(id=3, chain=1, page=3, parent=2), shown(9)) is None
