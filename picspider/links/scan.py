"""A page read by scanning: faster than the parser, for the plain pages that most sites are made of.

`scan` gives up on anything that the HTML standard's tree construction might move, drop, copy or hide; then the parser
has to read the page. Both give the same links (tests/links/test_scan.py).

The source is cut before elements that begin a part of a page. What has come twice (navigation, footers) is kept: of
the pages of one site only what differs is read.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property

from picspider.links.candidate import Candidate
from picspider.links.link import Link
from picspider.links.stretch import Stretch

LARGEST_CHARACTERS = 2_000_000
LONGEST_KEPT = 20_000
MOST_KEPT_CHARACTERS = 400_000
MOST_SEEN = 20_000
_PARTS = re.compile(
    r"<(?:body|header|nav|main|footer|section|article|aside|form|table|ul|ol|dl|h1|BODY|TABLE|UL|H1)(?=[\s>])"
)
# References that mean the same on all pages of an origin.
_ROOTED = re.compile(r"[/#]|https?://|(?!https?:)[A-Za-z][A-Za-z0-9+.\-]*:", re.IGNORECASE)


class _Kept:
    """The stretches that have come twice, by source and by whether they begin between the cells of a table."""

    def __init__(self) -> None:
        self._stretches: dict[tuple[str, bool], Stretch] = {}
        self._seen: set[int] = set()
        self._characters = 0

    def get(self, text: str, *, in_gap: bool) -> Stretch:
        """The stretch with this source: read before, or to be read."""
        name = text, in_gap
        stretch = self._stretches.get(name)
        if stretch is None:
            stretch = Stretch(text, in_gap=in_gap)
            if stretch.whole and len(text) <= LONGEST_KEPT:
                self._keep(name, stretch)
        return stretch

    def _keep(self, name: tuple[str, bool], stretch: Stretch) -> None:
        if len(self._seen) >= MOST_SEEN:
            self._seen.clear()
        number = hash(name)
        if number not in self._seen:
            self._seen.add(number)
            return
        self._characters += len(name[0])
        if self._characters > MOST_KEPT_CHARACTERS:
            self._stretches.clear()
            self._characters = len(name[0])
        if all(_ROOTED.match(candidate.raw) for candidate in stretch.candidates):
            stretch.barren = set()
        self._stretches[name] = stretch


_KEPT = _Kept()


def scan(text: str) -> Scanned | None:
    """The page with the source *text*; None when only the parser can tell."""
    if len(text) > LARGEST_CHARACTERS or "\0" in text:
        return None
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    stretches = _read(text)
    return Scanned(stretches) if stretches is not None else None


def _read(text: str) -> list[Stretch] | None:
    cuts = [part.start() for part in _PARTS.finditer(text)]
    cuts.append(len(text))
    stretches: list[Stretch] = []
    begin, in_gap, last, joined = 0, False, 0, 1
    while begin < len(text):
        end = cuts[min(last, len(cuts) - 1)]
        stretch = _KEPT.get(text[begin:end], in_gap=in_gap)
        if not stretch.whole:
            if not stretch.open_ended or end == len(text):
                return None
            last += joined  # in the middle of an element: read on, each time twice as far
            joined *= 2
            continue
        stretches.append(stretch)
        begin, in_gap, joined = end, stretch.in_gap, 1
        last += 1
    return stretches


class Scanned:
    """A `Document` made of stretches."""

    def __init__(self, stretches: list[Stretch]) -> None:
        self.stretches = stretches

    @cached_property
    def candidates(self) -> list[Candidate]:
        """See `Document`."""
        return [candidate for stretch in self.stretches for candidate in stretch.candidates]

    @cached_property
    def firsts(self) -> list[int]:
        """Of each stretch, the index of its first candidate."""
        firsts, count = [], 0
        for stretch in self.stretches:
            firsts.append(count)
            count += len(stretch.candidates)
        return firsts

    def base(self) -> str | None:
        """See `Document`."""
        return next((stretch.base for stretch in self.stretches if stretch.base is not None), None)

    def describe(self, index: int, url: str, groups: dict[int, int]) -> Link:
        """See `Document`."""
        number = bisect_right(self.firsts, index) - 1
        return self.stretches[number].describe(index - self.firsts[number], url, groups, number * LARGEST_CHARACTERS)

    def related(self) -> Iterable[int]:
        """See `Document`."""
        for first, stretch in zip(self.firsts, self.stretches, strict=True):
            for index in stretch.related:
                yield first + index

    def beginning_with(self, compact: str) -> Iterable[int]:
        """See `Document`."""
        for first, stretch in zip(self.firsts, self.stretches, strict=True):
            for index in stretch.beginning_with(compact):
                yield first + index
