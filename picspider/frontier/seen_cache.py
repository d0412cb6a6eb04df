"""Bounded caches of URLs in front of the table's unique key.

Broder, Najork and Wiener, *Efficient URL Caching for World Wide Web Crawling* (WWW 2003): a cache of some 50,000
entries answers most seen-tests. LRU is the *Multi-threaded breadth-first crawler*'s map in access order; CLOCK is
nearly as good without moving entries at a hit; random replacement needs no bookkeeping at all.
A new policy is a class here and one line in `POLICIES`.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import OrderedDict
from typing import Generic, TypeVar

V = TypeVar("V")


class SeenCache(ABC, Generic[V]):
    """A map of at most `capacity` URLs. Counts its `tests`, `hits` and `evictions`."""

    def __init__(self, capacity: int) -> None:
        if capacity < 1:
            raise ValueError(f"a cache needs room for at least one entry, not {capacity}")
        self.capacity = capacity
        self.tests = self.hits = self.evictions = 0

    @abstractmethod
    def get(self, url: str) -> V | None:
        """The value of *url*, or None when it is not (or no longer) known."""

    @abstractmethod
    def put(self, url: str, value: V) -> None:
        """Remember *url*, forgetting another when full."""

    @abstractmethod
    def __len__(self) -> int: ...

    @property
    def hit_rate(self) -> float:
        """Hits over tests, 0 to 1."""
        return self.hits / self.tests if self.tests else 0.0


class LruCache(SeenCache[V]):
    """Forgets what was not asked for the longest."""

    def __init__(self, capacity: int) -> None:
        super().__init__(capacity)
        self._entries: OrderedDict[str, V] = OrderedDict()

    def get(self, url: str) -> V | None:
        """See `SeenCache`."""
        self.tests += 1
        value = self._entries.get(url)
        if value is not None:
            self.hits += 1
            self._entries.move_to_end(url)
        return value

    def put(self, url: str, value: V) -> None:
        """See `SeenCache`."""
        entries = self._entries
        if url in entries:
            entries.move_to_end(url)
        elif len(entries) >= self.capacity:
            entries.popitem(last=False)
            self.evictions += 1
        entries[url] = value

    def __len__(self) -> int:
        return len(self._entries)


class ClockCache(SeenCache[V]):
    """A hand goes round; an entry asked for since the hand last passed gets a second chance."""

    def __init__(self, capacity: int) -> None:
        super().__init__(capacity)
        self._slot_of: dict[str, int] = {}
        self._ring: list[tuple[str, V]] = []
        self._marked = bytearray()
        self._hand = 0

    def get(self, url: str) -> V | None:
        """See `SeenCache`."""
        self.tests += 1
        slot = self._slot_of.get(url)
        if slot is None:
            return None
        self.hits += 1
        self._marked[slot] = 1
        return self._ring[slot][1]

    def put(self, url: str, value: V) -> None:
        """See `SeenCache`."""
        slot = self._slot_of.get(url)
        if slot is None:
            if len(self._ring) < self.capacity:
                slot = len(self._ring)
                self._ring.append((url, value))
                self._marked.append(0)
            else:
                slot = self._evict()
            self._slot_of[url] = slot
        self._ring[slot] = (url, value)
        self._marked[slot] = 1

    def _evict(self) -> int:
        while self._marked[self._hand]:
            self._marked[self._hand] = 0
            self._hand = (self._hand + 1) % self.capacity
        slot = self._hand
        self._hand = (slot + 1) % self.capacity
        del self._slot_of[self._ring[slot][0]]
        self.evictions += 1
        return slot

    def __len__(self) -> int:
        return len(self._ring)


class RandomCache(SeenCache[V]):
    """Forgets any entry, each with equal odds."""

    def __init__(self, capacity: int, seed: int = 0) -> None:
        super().__init__(capacity)
        self._slot_of: dict[str, int] = {}
        self._entries: list[tuple[str, V]] = []
        self._random = random.Random(seed)

    def get(self, url: str) -> V | None:
        """See `SeenCache`."""
        self.tests += 1
        slot = self._slot_of.get(url)
        if slot is None:
            return None
        self.hits += 1
        return self._entries[slot][1]

    def put(self, url: str, value: V) -> None:
        """See `SeenCache`."""
        slot = self._slot_of.get(url)
        if slot is None and len(self._entries) < self.capacity:
            slot = len(self._entries)
            self._entries.append((url, value))
        elif slot is None:
            slot = self._random.randrange(self.capacity)
            del self._slot_of[self._entries[slot][0]]
            self.evictions += 1
        self._slot_of[url] = slot
        self._entries[slot] = (url, value)

    def __len__(self) -> int:
        return len(self._entries)


POLICIES: dict[str, type[SeenCache[int]]] = {
    "lru": LruCache,
    "clock": ClockCache,
    "random": RandomCache,
}
