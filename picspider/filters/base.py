"""What every filter is: it looks at a picture's facts and lets it pass or refuses it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from picspider.filters.reasons import FILTER_REASONS
from picspider.records import Facts


@dataclass(frozen=True, slots=True)
class Skip:
    """A filter of the user's refused a picture. `reason` is a key of `SKIP_REASONS` that filters give.

    Raises ValueError for another one: pictures with it would not be judged again when the filters change.
    """

    reason: str
    message: str

    def __post_init__(self) -> None:
        if self.reason not in FILTER_REASONS:
            raise ValueError(f"{self.reason!r} is no reason of a filter's; give it a line in filters/reasons.py")


@dataclass(frozen=True, slots=True)
class Sniff:
    """What the first bytes of a picture say. `width` and `height` in pixels, 0 while they are not in the bytes yet.

    `settled`: the size is the upright one; else a note behind these bytes may still turn it by 90 degrees.
    """

    format: str
    width: int = 0
    height: int = 0
    settled: bool = True


class Filter(Protocol):
    """One condition of the user's. Each kind is one small file and one line in `FILTERS`."""

    def judge(self, facts: Facts) -> Skip | None:
        """The skip if the picture is refused, None if it passes. What cannot be known (size 0) passes."""
        ...

    def early(self, sniff: Sniff, declared_bytes: int | None) -> Skip | None:
        """The same from the first bytes, so that the download can be stopped; None when it is too early to say.

        `declared_bytes` is the server's word for the size of the body (Content-Length of a body
        that is not compressed for transfer), None when it gave none.
        """
        ...


def early_by_pixels(judge: Callable[[int, int], Skip | None], sniff: Sniff) -> Skip | None:
    """What *judge* says of width and height in the header; while the picture may still be turned, only if it refuses
    both ways.
    """
    skip = judge(sniff.width, sniff.height)
    if skip and not sniff.settled and judge(sniff.height, sniff.width) is None:
        return None
    return skip


class PicturesSection(Protocol):
    """The keys of the config's section `pictures` that filters read: pixels, bytes, and aspect = width / height."""

    @property
    def min_width(self) -> int: ...  # noqa: D102 - the names are the contract's
    @property
    def min_height(self) -> int: ...  # noqa: D102 - see above
    @property
    def max_width(self) -> int | None: ...  # noqa: D102 - see above
    @property
    def max_height(self) -> int | None: ...  # noqa: D102 - see above
    @property
    def min_size(self) -> int: ...  # noqa: D102 - see above
    @property
    def max_size(self) -> int | None: ...  # noqa: D102 - see above
    @property
    def min_aspect(self) -> float | None: ...  # noqa: D102 - see above
    @property
    def max_aspect(self) -> float | None: ...  # noqa: D102 - see above
    @property
    def formats(self) -> Sequence[str] | None: ...  # noqa: D102 - see above
