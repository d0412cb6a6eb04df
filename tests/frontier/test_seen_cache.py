from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from picspider.frontier.seen_cache import POLICIES, ClockCache, LruCache, SeenCache

URLS = st.lists(st.integers(0, 30), max_size=300)


@pytest.mark.parametrize("policy", POLICIES)
@given(urls=URLS, capacity=st.integers(1, 12))
def test_cache_never_lies_and_never_grows(policy: str, urls: list[int], capacity: int) -> None:
    """Whatever the policy, a cache answers with what was put in or None, holds at most its capacity, and counts."""
    cache: SeenCache[int] = POLICIES[policy](capacity)
    for number in urls:
        found = cache.get(str(number))
        assert found in (None, number + 1)
        cache.put(str(number), number + 1)
        assert cache.get(str(number)) == number + 1
        assert len(cache) <= capacity
    assert cache.tests == 2 * len(urls)
    assert cache.hits >= len(urls)
    assert cache.evictions == cache.tests - cache.hits - len(cache)


def test_lru_forgets_what_was_not_asked_for_the_longest() -> None:
    """Of two URLs the one that was asked for again stays."""
    cache: LruCache[int] = LruCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert cache.get("b") is None
    assert cache.get("a") == 1


def test_clock_gives_a_second_chance() -> None:
    """Of what has been there since the hand came by, one that was asked for stays and the next one goes."""
    cache: ClockCache[int] = ClockCache(3)
    for number, url in enumerate("abcd"):
        cache.put(url, number)
    assert "a" not in cache._slot_of, "the hand has been all around"
    cache.get("b")
    cache.put("e", 4)
    assert [cache.get(url) for url in "bce"] == [1, None, 4]


def test_a_cache_without_room_is_refused() -> None:
    """A capacity of zero is an error, not a cache that never hits."""
    with pytest.raises(ValueError, match="at least one"):
        LruCache(0)


@pytest.mark.parametrize("policy", POLICIES)
def test_larger_caches_hit_more(policy: str) -> None:
    """On a trace with favourites the hit rate grows with the size (for random replacement, on the whole)."""
    draw = random.Random(1)
    trace = [str(int(draw.paretovariate(0.7))) for _ in range(6000)]
    rates = []
    for capacity in (8, 64, 512):
        cache: SeenCache[int] = POLICIES[policy](capacity)
        for url in trace:
            if cache.get(url) is None:
                cache.put(url, 1)
        rates.append(cache.hit_rate)
    assert all(smaller <= larger for smaller, larger in pairwise(rates))
