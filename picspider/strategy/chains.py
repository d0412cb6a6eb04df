"""What the pages of each chain of next pages have shown so far: whether one comes again, whether a chain runs dry."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from picspider.strategy.layers import Look
    from picspider.visit import Note

CHAINS_KEPT = 2000
# So many next pages in a row without a link that is not on the page before: a calendar without end, mostly.
MOST_DRY_PAGES = 100


@dataclass(slots=True)
class _Chain:
    """`contents`: row by `Look.content`; `offer`: the last one that was not 0; `dry`: pages since it was new."""

    contents: dict[int, int] = field(default_factory=dict)
    offer: int = 0
    dry: int = 0


class Chains:
    """The chains met last. *before* gives the contents of a chain up to a row, from the store."""

    def __init__(self, before: Callable[[int], dict[int, int]]) -> None:
        self._before = before
        self._chains: OrderedDict[int, _Chain] = OrderedDict()

    def same_before(self, note: Note, look: Look) -> int:
        """The row of the earlier page of the same chain that showed the very same; 0 when there is none."""
        if not look.content:
            return 0
        contents = self._of(note).contents
        earlier = contents.setdefault(look.content, note.id)
        if earlier > note.id:
            # Pages of a chain that is read again come back in any order; rows are in the order of the chain.
            contents[look.content] = note.id
        return earlier if earlier < note.id else 0

    def runs_dry(self, note: Note, look: Look) -> bool:
        """Whether the page is one too many in a row that offers nothing new for the next layer."""
        chain = self._of(note)
        if look.offer in (0, chain.offer):
            chain.dry += 1
        else:
            chain.offer, chain.dry = look.offer, 0
        return chain.dry >= MOST_DRY_PAGES

    def _of(self, note: Note) -> _Chain:
        chain = self._chains.get(note.chain)
        if chain is None:
            chain = self._chains[note.chain] = _Chain(self._before(note.parent) if note.page > 1 else {})
            if len(self._chains) > CHAINS_KEPT:
                self._chains.popitem(last=False)
        return chain
