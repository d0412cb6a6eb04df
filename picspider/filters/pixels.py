"""Filter by pixels: width and height of the upright picture."""

from __future__ import annotations

from dataclasses import dataclass

from picspider.filters.base import PicturesSection, Skip, Sniff, early_by_pixels
from picspider.records import Facts


@dataclass(frozen=True, slots=True)
class Pixels:
    """`min_width`, `min_height`, `max_width`, `max_height`: bounds in pixels, each inclusive; None: no upper bound."""

    min_width: int = 0
    min_height: int = 0
    max_width: int | None = None
    max_height: int | None = None

    @classmethod
    def of(cls, section: PicturesSection) -> Pixels | None:
        """The filter that *section* asks for; None when it sets no bound."""
        wanted = cls(section.min_width, section.min_height, section.max_width, section.max_height)
        return None if wanted == cls() else wanted

    def judge(self, facts: Facts) -> Skip | None:
        """`too-small` or `too-large`."""
        return self._judge(facts.width, facts.height)

    def early(self, sniff: Sniff, declared_bytes: int | None) -> Skip | None:
        """Known as soon as the header is read."""
        return early_by_pixels(self._judge, sniff)

    def _judge(self, width: int, height: int) -> Skip | None:
        if not width or not height:
            return None
        if width < self.min_width or height < self.min_height:
            wanted = _bounds("at least", self.min_width or None, self.min_height or None)
            return Skip("too-small", f"{width} × {height} pixels; wanted is {wanted}")
        if (self.max_width is not None and width > self.max_width) or (
            self.max_height is not None and height > self.max_height
        ):
            wanted = _bounds("at most", self.max_width, self.max_height)
            return Skip("too-large", f"{width} × {height} pixels; wanted is {wanted}")
        return None


def _bounds(bound: str, width: int | None, height: int | None) -> str:
    """What is asked for, and no more."""
    if width is not None and height is not None:
        return f"{bound} {width} × {height}"
    return f"a width of {bound} {width}" if width is not None else f"a height of {bound} {height}"
