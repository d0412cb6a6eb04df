"""How long a crawl may still take, said only as surely as it is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from picspider.report.summary import LayerCounts

FEW = 20
SURE_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class Estimate:
    """`seconds` still to go; `at_least`: too little of the list pages is read to say more."""

    seconds: float
    at_least: bool


def estimate(layers: Sequence[LayerCounts], urls_per_second: float, last_layer: int) -> Estimate | None:
    """The time left for *layers* at the present rate; None while there is nothing to go by.

    Each layer is expected to grow as the one above it is read: with a third of the albums read, three times the
    photos found so far are expected. *last_layer* is the one of the pictures.
    """
    found = {one.layer: one.found - one.counts.repeats for one in layers}
    ended = {one.layer: one.found - one.counts.repeats - one.counts.waiting for one in layers}
    if urls_per_second <= 0 or sum(ended.values()) < FEW:
        return None
    left, share, at_least = 0.0, 1.0, False
    for layer in range(last_layer + 1):
        if share < SURE_SHARE:
            at_least = True
        expected = found.get(layer, 0) / max(share, SURE_SHARE)
        left += max(0.0, expected - ended.get(layer, 0))
        share = ended.get(layer, 0) / expected if expected else share
    return Estimate(left / urls_per_second, at_least)


def in_words(estimated: Estimate | None) -> str:
    """The estimate as a person says it."""
    if estimated is None:
        return "time left unknown"
    return f"{'more than' if estimated.at_least else 'about'} {duration(estimated.seconds)} left"


def duration(seconds: float) -> str:
    """As in 8 s, 3 min, 2 h 5 min."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
