"""The dupefilter: has this URL been seen, and where? It knows pairs, not just yes or no.

The thesis calls the later sighting *follower* and the earlier one *victim* (*Mass picture downloader*, 3.2.1). The
exact answer is the unique key of the table; in front of it stands a bounded cache keyed by the URL as written.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from scrapy.dupefilters import BaseDupeFilter

from picspider.frontier.seen_cache import POLICIES, LruCache, SeenCache
from picspider.urls import IdentityRules, key_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from picspider.visit import Kind


ROW_BITS = 44
LOW_ROW = (1 << ROW_BITS) - 1


class PairDupeFilter(BaseDupeFilter):
    """Answers which row a URL is, as far as the cache remembers; the frontier asks the table for the rest."""

    def __init__(self, policy: str, capacity: int, rules: IdentityRules) -> None:
        # Two row ids in one number: a pair of them would take three times the memory.
        self._empty: Callable[[], SeenCache[int]] = partial(POLICIES[policy], capacity)
        self.cache = self._empty()
        self.rules = rules

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Settings: PICSPIDER_SEEN_CACHE, PICSPIDER_SEEN_CACHE_SIZE, PICSPIDER_IGNORE_PARAMETERS,
        PICSPIDER_STRIP_TRAILING_SLASH.
        """
        settings = crawler.settings
        rules = IdentityRules(
            ignore_parameters=tuple(settings.getlist("PICSPIDER_IGNORE_PARAMETERS")),
            strip_trailing_slash=settings.getbool("PICSPIDER_STRIP_TRAILING_SLASH", True),
        )
        return cls(
            settings.get("PICSPIDER_SEEN_CACHE", "lru"), settings.getint("PICSPIDER_SEEN_CACHE_SIZE", 50_000), rules
        )

    def key_of(self, url: str, kind: Kind = "page") -> int:
        """The table's key of *url*, by the rules of this crawl."""
        return key_of(url, kind, self.rules)

    def recall(self, url: str) -> tuple[int, int] | None:
        """(row, its parent) of *url* as written, if the cache remembers it."""
        known = self.cache.get(url)
        return None if known is None else (known >> ROW_BITS, known & LOW_ROW)

    def learn(self, known: dict[str, tuple[int, int]]) -> None:
        """Remember URL → (row, its parent)."""
        put = self.cache.put
        for url, (row, parent) in known.items():
            put(url, row << ROW_BITS | parent)

    def forget(self) -> None:
        """Rows stand elsewhere now: ask the table for all of them."""
        self.cache = self._empty()

    def request_seen(self, request: Request) -> bool:
        """For other schedulers: whether the cache remembers the URL; False means "ask the table"."""
        return self.recall(request.url) is not None

    def close(self, reason: str) -> None:
        """The crawl has ended: the memory is for settling, feeds and report now."""
        self.cache = LruCache(1)

    def log(self, request: Request, spider: Spider | None = None) -> None:
        """Nothing: repeats are told in the feed, with both places."""
