"""Stand-ins: the same "image removed" or "no hot-linking" picture served for many addresses.

A stand-in is the same content at several *different* picture addresses of different pages. A picture that albums
rightly share is not one: it has one address, or one name, or is linked with the same words everywhere.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from picspider.pictures.url_names import url_name

if TYPE_CHECKING:
    from picspider.records import Facts

CONTENTS_KEPT = 2000
SIZES_KEPT = 500
# A content whose size in pixels no other picture of the crawl has looks like a stand-in sooner.
ENOUGH_OF_ODD_SIZE = 3
ENOUGH_OF_COMMON_SIZE = 8
COMMON_SIZE_FROM = 3
VARIANTS = ("parent", "origin", "none")


@dataclass(slots=True)
class _Sightings:
    stems: set[str] = field(default_factory=set)
    parents: set[int] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)

    def add(self, url: str, parent: int, text: str) -> None:
        self.stems.add(url_name(url).stem.casefold())
        self.parents.add(parent)
        self.texts.add(text.casefold())

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

    def came_again(self, sha256: str, facts: Facts, sightings: list[tuple[str, int, str]]) -> bool:
        """Whether *sha256*, now seen again at *sightings* (URL, parent row, link text), has become a stand-in."""
        seen = self._contents.setdefault(sha256, _Sightings())
        self._contents.move_to_end(sha256)
        if len(self._contents) > CONTENTS_KEPT:
            self._contents.popitem(last=False)
        for url, parent, text in sightings:
            seen.add(url, parent, text)
        # The content itself was counted once when it was stored.
        common = self._sizes[facts.width, facts.height] > COMMON_SIZE_FROM
        if seen.different < (ENOUGH_OF_COMMON_SIZE if common else ENOUGH_OF_ODD_SIZE):
            return False
        self.known.add(sha256)
        return True

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
