"""What is safe to say of Broder, Najork and Wiener's caches, on a small trace."""

from __future__ import annotations

from itertools import pairwise

import pytest

from benchmarks.url_caching import Trace, belady, rates, synthetic

SIZES = [2**power for power in range(6, 15)]
MIDDLE = slice(2, 6)


@pytest.fixture(scope="module")
def trace() -> Trace:
    """A made-up web of 40,000 references, crawled by 20 threads."""
    return synthetic(40_000, seed=1, threads=20)


@pytest.fixture(scope="module")
def found(trace: Trace) -> dict[str, list[float]]:
    """Hit rates by policy."""
    return rates(trace, SIZES)


def test_min_is_at_least_as_good_as_any(found: dict[str, list[float]]) -> None:
    """No bounded cache beats Belady's, and none beats the infinite one."""
    for place in range(len(SIZES)):
        assert all(found["MIN"][place] >= found[name][place] for name in ("LRU", "CLOCK", "RANDOM", "STATIC"))
        assert found["INFINITE"][place] >= found["MIN"][place]


def test_rates_do_not_fall_with_size(found: dict[str, list[float]]) -> None:
    """MIN and LRU never lose by more room (neither knows Belady's anomaly)."""
    for name in ("MIN", "LRU", "INFINITE"):
        assert all(smaller <= larger for smaller, larger in pairwise(found[name]))


def test_clock_is_as_good_as_lru(found: dict[str, list[float]]) -> None:
    """CLOCK stays within 0.03 of LRU at every size."""
    assert max(abs(lru - clock) for lru, clock in zip(found["LRU"], found["CLOCK"], strict=True)) <= 0.03


def test_lru_reaches_the_infinite_cache(found: dict[str, list[float]]) -> None:
    """At the large end LRU has at least 0.97 of all the hits there are."""
    assert found["LRU"][-1] >= 0.97 * found["INFINITE"][-1]


def test_static_is_worst_in_the_middle(found: dict[str, list[float]]) -> None:
    """In the critical region the cache that learns nothing is the worst."""
    for name in ("MIN", "LRU", "CLOCK", "RANDOM"):
        assert all(one > static for one, static in zip(found[name][MIDDLE], found["STATIC"][MIDDLE], strict=True))


def test_belady_on_a_trace_worked_out_by_hand() -> None:
    """Of 1 2 3 1 2 4 1 2 a cache of two keeps 1 and 2, a cache of one keeps 1, and neither ever takes 3 or 4 in."""
    assert belady([1, 2, 3, 1, 2, 4, 1, 2], 2) == 4 / 8
    assert belady([1, 2, 3, 1, 2, 4, 1, 2], 1) == 2 / 8
