"""Where chains of next pages end that would go on for ever: what their pages showed, in the order of the chain.

Answers come in any order, above all when a finished chain is read again. So each page is judged by those before it in
its chain, as far as they are known: from this run, or else as the store has them.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice
from typing import TYPE_CHECKING

from picspider.records import ChainPage
from picspider.strategy.layers import offer_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from picspider.strategy.layers import Look
    from picspider.visit import Note

CHAINS_KEPT = 2000
# So many pages in a row that show just what a page before them did: a server that answers any number with its last
# page. Of a list whose pages begin with the same few links, one or two may be alike.
MOST_REPEATED_PAGES = 3
# So many next pages in a row without a link that is not on the page before: a calendar without end, mostly.
MOST_DRY_PAGES = 100


class ChainEnd(Enum):
    """Why a chain is not followed further; how it is told."""

    repeated = f"{MOST_REPEATED_PAGES} next pages in a row showed what pages before them had shown"
    dry = f"{MOST_DRY_PAGES} next pages in a row had nothing new"


@dataclass(slots=True)
class _Chain:
    """`pages` by row; `times`: how many of them show the same."""

    pages: dict[int, ChainPage] = field(default_factory=dict)
    times: Counter[int | None] = field(default_factory=Counter)

    def note(self, row: int, page: ChainPage) -> None:
        before = self.pages.get(row)
        if before is not None:
            self.times[before.content] -= 1
        self.pages[row] = page
        self.times[page.content] += 1

    def upwards(self, row: int) -> Iterator[int | None]:
        """What the page *row* shows, and those before it, up to the first."""
        # Pages that link each other may be noted as each other's parent while they are read again.
        for _ in range(len(self.pages)):
            page = self.pages.get(row)
            if page is None:
                return
            yield page.content
            row = page.parent


class Chains:
    """The chains met last. *stored* gives a page of a row from the store, None if there is none."""

    def __init__(self, stored: Callable[[int], ChainPage | None]) -> None:
        self._stored = stored
        self._chains: OrderedDict[int, _Chain] = OrderedDict()

    def end_at(self, note: Note, look: Look) -> ChainEnd | None:
        """Note what the page shows; says why the chain should end with it, None if it should not."""
        chain = self._of(note.chain)
        parent = note.parent if note.page > 1 else 0
        chain.note(note.id, ChainPage(parent, look.content))
        self._read_up(chain, parent)
        if look.content and chain.times[look.content] > 1 and _repeated(list(chain.upwards(note.id))):
            return ChainEnd.repeated
        return ChainEnd.dry if _dry(chain.upwards(note.id)) else None

    def _read_up(self, chain: _Chain, row: int) -> None:
        while row and row not in chain.pages:
            page = self._stored(row)
            if page is None:
                return
            chain.note(row, page)
            row = page.parent

    def _of(self, row: int) -> _Chain:
        chain = self._chains.get(row)
        if chain is None:
            chain = self._chains[row] = _Chain()
            if len(self._chains) > CHAINS_KEPT:
                self._chains.popitem(last=False)
        return chain


def _repeated(upwards: list[int | None]) -> bool:
    """Whether each of the first `MOST_REPEATED_PAGES` of *upwards* comes again further up."""
    left = Counter(upwards)
    for content in upwards[:MOST_REPEATED_PAGES]:
        left[content] -= 1
        if not content or not left[content]:
            return False
    return True


def _dry(upwards: Iterator[int | None]) -> bool:
    """Whether the first `MOST_DRY_PAGES` of *upwards* offer nothing, or what the one above them that does offers."""
    offer = below = pages = 0
    for content in islice(upwards, MOST_DRY_PAGES + 1):
        of_page = offer_of(content) if content is not None else None
        if of_page is None or (of_page and offer and of_page != offer):
            break
        if of_page:
            offer, below = of_page, pages
        pages += 1
    return (below if offer else pages) >= MOST_DRY_PAGES
