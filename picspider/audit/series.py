"""A number series in the addresses of one album, as `001.jpg`, `002.jpg` and so on."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field

FEWEST = 8
MISSING_SHARE = 0.1
STRANGER_SHARE = 0.2
# A number that stands by itself or behind a word: 017, p017, IMG_017; not the digits of 5da4ae8d.
_NUMBER = re.compile(r"(?<![0-9A-Za-z])[A-Za-z]{0,20}([0-9]{1,9})(?![0-9A-Za-z])")
_HERE = re.compile(r"([0-9]{1,9})(?![0-9A-Za-z])")


@dataclass(slots=True)
class Series:
    """The numbers that stand behind `prefix`; `strangers` is how many addresses had none there."""

    prefix: str
    suffix: str
    digits: int
    numbers: array[int] = field(default_factory=lambda: array("l"))
    strangers: int = 0

    def take(self, url: str, start: int, number: str) -> None:
        """Enter the *number* that begins at *start* of *url*."""
        if start == len(self.prefix) and url.startswith(self.prefix):
            self.numbers.append(int(number))
        elif len(self.numbers) == 1:
            # The first one may have been the cover.
            self.prefix, self.suffix, self.digits = url[:start], url[start + len(number) :], len(number)
            self.numbers[0] = int(number)
        else:
            self.strangers += 1

    def missing(self) -> list[int]:
        """The numbers left out of a dense series that begins at 0 or 1; a camera's or a site's own numbers do not."""
        present = set(self.numbers)
        low, high = min(present), max(present)
        lost = high - low + 1 - len(present)
        if low > 1 or len(present) < FEWEST or self.strangers > STRANGER_SHARE * len(present):
            return []
        if lost > MISSING_SHARE * (high - low + 1) and lost > 1:
            return []
        return [number for number in range(low, high) if number not in present]

    def url_of(self, number: int) -> str:
        """The address that *number* would have, written like the first of them."""
        return f"{self.prefix}{number:0{self.digits}}{self.suffix}"


@dataclass(slots=True)
class AlbumSeries:
    """The first and the last number of each address are watched: either may be the one that counts."""

    first: Series | None = None
    last: Series | None = None

    def add(self, url: str) -> None:
        """Enter one address."""
        first = self.first
        if first is not None and self.last is None and url.startswith(first.prefix):
            # The common case, without a search.
            number = _HERE.match(url, len(first.prefix))
            if number is not None:
                first.numbers.append(int(number[1]))
                return
        found = list(_NUMBER.finditer(url, url.rfind("/", 0, len(url) - 1) + 1))
        if not found:
            return
        self.first = _taken(self.first, url, found[0])
        if len(found) > 1:
            self.last = _taken(self.last, url, found[-1])

    def gaps(self) -> tuple[Series, list[int]] | None:
        """The series with a gap, and the missing numbers; None when all is there."""
        for series in (self.first, self.last):
            if series is not None and (missing := series.missing()):
                return series, missing
        return None

    @property
    def counts(self) -> bool:
        """Whether there is a series at all."""
        return any(series is not None and len(series.numbers) >= FEWEST for series in (self.first, self.last))


def _taken(series: Series | None, url: str, match: re.Match[str]) -> Series:
    start, number = match.start(1), match[1]
    if series is None:
        return Series(url[:start], url[match.end() :], len(number), array("l", [int(number)]))
    series.take(url, start, number)
    return series
