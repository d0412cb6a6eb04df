"""Filter by aspect: width divided by height of the upright picture."""

from __future__ import annotations

from dataclasses import dataclass

from picspider.filters.base import PicturesSection, Skip, Sniff, early_by_pixels
from picspider.records import Facts


@dataclass(frozen=True, slots=True)
class Aspect:
    """`min_aspect` and `max_aspect`: bounds of width / height, each inclusive; None: no bound."""

    min_aspect: float | None = None
    max_aspect: float | None = None

    @classmethod
    def of(cls, section: PicturesSection) -> Aspect | None:
        """The filter that *section* asks for; None when it sets no bound."""
        wanted = cls(section.min_aspect, section.max_aspect)
        return None if wanted == cls() else wanted

    def judge(self, facts: Facts) -> Skip | None:
        """`aspect`."""
        return self._judge(facts.width, facts.height)

    def early(self, sniff: Sniff, declared_bytes: int | None) -> Skip | None:
        """Known as soon as the header is read."""
        return early_by_pixels(self._judge, sniff)

    def _judge(self, width: int, height: int) -> Skip | None:
        if not width or not height:
            return None
        if self.min_aspect is not None and width / height < self.min_aspect:
            return Skip("aspect", f"{width} × {height} is narrower than {self.min_aspect:g}")
        if self.max_aspect is not None and width / height > self.max_aspect:
            return Skip("aspect", f"{width} × {height} is wider than {self.max_aspect:g}")
        return None
