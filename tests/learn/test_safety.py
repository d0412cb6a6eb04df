"""Expressions of the learner cannot be made to backtrack."""

import random
import re
import time
from collections.abc import Callable

import pytest

from picspider.learn import METHODS

RANDOM = random.Random(7)
MAKERS: tuple[Callable[[], str], ...] = (
    lambda: str(RANDOM.randrange(10 ** RANDOM.randrange(1, 9))),
    lambda: "-".join(RANDOM.choices(["red", "blue", "of", "sea", "old", "2019"], k=RANDOM.randrange(1, 7))),
    lambda: "".join(RANDOM.choices("0123456789abcdef", k=12)),
    lambda: "".join(RANDOM.choices("abcXYZ019_", k=RANDOM.randrange(1, 9))),
    lambda: f"{RANDOM.randrange(999)}_{RANDOM.choice(['a', 'bb'])}-{RANDOM.randrange(99)}.jpg",
)
FILLERS = ("a", "0", "-", "/", "_", ".", "a-", "0-", "-0", "a/", "a=1&", "&id=1", "%20", "aA0_", "?a")


def random_examples() -> tuple[list[str], list[str]]:
    """A few URLs of one random shape, and others of another shape as negatives."""
    shapes = [RANDOM.choices(MAKERS, k=RANDOM.randrange(1, 5)) for _ in range(2)]
    tail = RANDOM.choice(["", "/", "?id={}", "?p={}&q=x", "#c-{}", ".html"])
    layers = [
        [
            "https://s.example/" + "/".join(make() for make in shape) + tail.format(RANDOM.randrange(99))
            for _ in range(4)
        ]
        for shape in shapes
    ]
    return layers[0] + layers[1][: RANDOM.randrange(2)], layers[1][2:]


def attacks(url: str, size_bytes: int) -> list[str]:
    """Long strings near a URL of the layer that nearly match: each part in turn is blown up."""
    pieces = re.split(r"(?<=[/?=&#-])", url)
    found = []
    for index in range(3, len(pieces) + 1):
        for filler in FILLERS:
            middle = filler * (size_bytes // len(filler))
            found += ["".join(pieces[:index]) + middle + "".join(pieces[index:]) + "\0"]
    return found


def slowest_seconds(rx: re.Pattern[str], url: str, size_bytes: int) -> float:
    """The longest time that one attack of this size takes."""
    worst = 0.0
    for text in attacks(url, size_bytes):
        start = time.process_time()
        rx.search(text)
        worst = max(worst, time.process_time() - start)
    return worst


@pytest.mark.parametrize("method", sorted(METHODS))
def test_200_random_expressions_withstand_long_strings(method: str) -> None:
    """No attack of 20 kB takes 50 ms, which a quadratic match (400 million steps) would by far."""
    slow = []
    for _ in range(200):
        positives, negatives = random_examples()
        regex = METHODS[method](positives, negatives, ()).regex
        rx = re.compile(regex)
        # the small size first: an expression that explodes must fail the test, not hang it
        if slowest_seconds(rx, positives[0], 1_000) > 0.05 or slowest_seconds(rx, positives[0], 20_000) > 0.05:
            slow.append(regex)
    assert slow == []
