"""Filter by bytes: the size of the file."""

from __future__ import annotations

from dataclasses import dataclass

from picspider.errors import counted
from picspider.filters.base import PicturesSection, Skip, Sniff
from picspider.records import Facts


@dataclass(frozen=True, slots=True)
class Size:
    """`min_bytes` and `max_bytes`: bounds of the file in bytes, each inclusive; None: no upper bound."""

    min_bytes: int = 0
    max_bytes: int | None = None

    @classmethod
    def of(cls, section: PicturesSection) -> Size | None:
        """The filter that *section* asks for; None when it sets no bound."""
        wanted = cls(section.min_size, section.max_size)
        return None if wanted == cls() else wanted

    def judge(self, facts: Facts) -> Skip | None:
        """`too-small` or `too-large`."""
        if facts.bytes < self.min_bytes:
            return Skip("too-small", f"{counted(facts.bytes, 'byte')}; wanted is at least {self.min_bytes:,}")
        if self.max_bytes is not None and facts.bytes > self.max_bytes:
            return Skip("too-large", f"{counted(facts.bytes, 'byte')}; wanted is at most {self.max_bytes:,}")
        return None

    def early(self, sniff: Sniff, declared_bytes: int | None) -> Skip | None:
        """Only `too-small`: a body that is too large on the way is a failure, and the download's to tell."""
        if declared_bytes is not None and declared_bytes < self.min_bytes:
            return Skip(
                "too-small", f"{counted(declared_bytes, 'byte')} declared; wanted is at least {self.min_bytes:,}"
            )
        return None
