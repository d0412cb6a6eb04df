"""The user's filters: one kind, one file, one line in `FILTERS`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from picspider.filters.aspect import Aspect
from picspider.filters.base import Filter, PicturesSection, Skip, Sniff
from picspider.filters.formats import Formats
from picspider.filters.pixels import Pixels
from picspider.filters.size import Size
from picspider.records import Facts

__all__ = ["FILTERS", "Filter", "PicturesSection", "Skip", "Sniff", "build", "early", "judge"]

# In the order they are asked: the first that refuses gives the reason.
FILTERS: dict[str, Callable[[PicturesSection], Filter | None]] = {
    "formats": Formats.of,
    "size": Size.of,
    "pixels": Pixels.of,
    "aspect": Aspect.of,
}


def build(section: PicturesSection) -> tuple[Filter, ...]:
    """The filters that the config's section `pictures` asks for."""
    return tuple(wanted for make in FILTERS.values() if (wanted := make(section)) is not None)


def judge(filters: Iterable[Filter], facts: Facts) -> Skip | None:
    """The first refusal, or None when all let the picture pass."""
    return next((skip for each in filters if (skip := each.judge(facts))), None)


def early(filters: Iterable[Filter], sniff: Sniff, declared_bytes: int | None) -> Skip | None:
    """The first refusal that the first bytes allow, or None."""
    return next((skip for each in filters if (skip := each.early(sniff, declared_bytes))), None)
