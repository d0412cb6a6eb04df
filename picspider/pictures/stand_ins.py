"""Stand-ins: the same "image removed" or "no hot-linking" picture served for many addresses.

A stand-in is the same content at several *different* picture addresses of different pages. A picture that albums
rightly share is not one: it has one address, or one name, or is linked with the same words everywhere.

Whether a content's size is a common one is not known before all is stored. So a verdict stands only until the end of
the run, when it is given again: it must not depend on which answers came first.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from picspider.pictures.url_names import url_name

if TYPE_CHECKING:
    from picspider.records import Facts

CONTENTS_KEPT = 2000
SIZES_KEPT = 5000
# A content whose size in pixels no other picture of the crawl has looks like a stand-in sooner.
ENOUGH_OF_ODD_SIZE = 3
ENOUGH_OF_COMMON_SIZE = 8
COMMON_SIZE_FROM = 3
VARIANTS = ("parent", "origin", "none")


class Shown(NamedTuple):
    """Where a content came: for the picture `row`, linked at `url` on the page `parent` (a row) as `text`."""

    row: int
    url: str
    parent: int
    text: str


@dataclass(slots=True)
class _Sightings:
    size: tuple[int, int]
    rows: set[int] = field(default_factory=set)
    stems: set[str] = field(default_factory=set)
    parents: set[int] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)

    def add(self, shown: Shown) -> None:
        self.rows.add(shown.row)
        self.stems.add(url_name(shown.url).stem.casefold())
        self.parents.add(shown.parent)
        self.texts.add(shown.text.casefold())

    @property
    def different(self) -> int:
        """How many of them are neither the same by name, nor by page, nor by the words of their links."""
        if len(self.texts) == 1 and "" not in self.texts:
            return 1
        return min(len(self.stems), len(self.parents))


@dataclass(slots=True)
class Trial:
    """How a host that sent a stand-in is asked differently: one picture, `row`, tries each Referer in turn."""

    row: int
    left: list[str]
    works: str | None = None
    hopeless: bool = False


class StandIns:
    """Watches contents that come again, and remembers per host which Referer brings the real picture."""

    def __init__(self, configured_referer: str) -> None:
        self._configured = configured_referer
        self._contents: OrderedDict[str, _Sightings] = OrderedDict()
        self._sizes: Counter[tuple[int, int]] = Counter()
        self.known: set[str] = set()
        self.trials: dict[str, Trial] = {}

    def stored(self, facts: Facts) -> None:
        """A new content was stored."""
        if len(self._sizes) < SIZES_KEPT or (facts.width, facts.height) in self._sizes:
            self._sizes[facts.width, facts.height] += 1

    def came_again(self, sha256: str, facts: Facts, sightings: list[Shown]) -> bool:
        """Whether *sha256*, now seen again at *sightings*, is a stand-in by all that is known by now."""
        seen = self._contents.get(sha256)
        if seen is None:
            seen = self._contents[sha256] = _Sightings((facts.width, facts.height))
        self._contents.move_to_end(sha256)
        if len(self._contents) > CONTENTS_KEPT:
            self._contents.popitem(last=False)
        for shown in sightings:
            seen.add(shown)
        if sha256 not in self.known and self._is_one(seen):
            self.known.add(sha256)
        return sha256 in self.known

    def _is_one(self, seen: _Sightings) -> bool:
        # The content itself was counted once when it was stored.
        common = self._sizes[seen.size] > COMMON_SIZE_FROM
        return seen.different >= (ENOUGH_OF_COMMON_SIZE if common else ENOUGH_OF_ODD_SIZE)

    def cleared(self) -> set[int]:
        """At the end, when all is stored: the rows of contents that are no stand-ins after all, and are none now."""
        wrong = [
            sha256 for sha256 in self.known if sha256 in self._contents and not self._is_one(self._contents[sha256])
        ]
        self.known.difference_update(wrong)
        return {row for sha256 in wrong for row in self._contents[sha256].rows}

    def next_referer(self, host: str, row: int, tried: str | None) -> str | None:
        """The Referer that *row* should try next at *host*; None: nothing is left to try, or another row tries."""
        trial = self.trials.get(host)
        if trial is None:
            trial = self.trials[host] = Trial(row, [name for name in VARIANTS if name != self._configured])
        if trial.works is not None:
            return trial.works if tried != trial.works else None
        if trial.row != row or trial.hopeless:
            return None
        if not trial.left:
            trial.hopeless = True
            return None
        return trial.left.pop(0)

    def succeeded(self, host: str, row: int, referer: str | None) -> bool:
        """The real picture came for *row* with *referer*; True when that settles how *host* wants to be asked."""
        trial = self.trials.get(host)
        if trial is None or trial.row != row or trial.works is not None or referer is None:
            return False
        trial.works = referer
        return True
