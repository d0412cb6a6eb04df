"""The topic of the spider `layered`: which albums come first, and which are skipped as off-topic."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from sqlalchemy import select

from picspider.records import Skipped
from picspider.schema import node
from picspider.spiders.crawl_topic import CrawlTopic
from picspider.strategy.album_ranking import AlbumRanking, FoundBy, Rated

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from picspider.config.model import SiteConfig
    from picspider.frontier.store.store import Store
    from picspider.links.page import Page
    from picspider.records import Answer
    from picspider.strategy.layers import Look
    from picspider.visit import Note

ANCESTORS_KEPT = 5000


class AlbumTopic:
    """Rates pages; a threshold that was written drops those off the topic.

    An entry page is never dropped, nor a next page, nor what stands below a page on the topic: the single photo's
    page says little. A page that lists albums stays when one of its links is on the topic.
    """

    def __init__(self, crawler: Crawler, config: SiteConfig, store: Store) -> None:
        assert config.topic is not None
        self._drops = config.topic.threshold is not None
        self._ranks = config.order == "best"
        self._store = store
        self._topic = CrawlTopic(crawler, config.topic, store, judges=self._drops)
        self._ranking: AlbumRanking | None = None
        self._below: OrderedDict[int, bool] = OrderedDict()

    @classmethod
    def of(cls, crawler: Crawler, config: SiteConfig, store: Store) -> AlbumTopic | None:
        """The topic of *config*; None when there is none, or it would change nothing."""
        if config.topic is None or (config.order != "best" and config.topic.threshold is None):
            return None
        return cls(crawler, config, store)

    def rate(self, page: Page, look: Look, note: Note, answer: Answer) -> tuple[float, Skipped | None]:
        """(the score of *page*, its outcome when it is off the topic); the visits of *look* get their priorities."""
        if self._ranking is None:
            self._ranking = AlbumRanking(self._topic.model, ranks=self._ranks)
        priority = note.priority if self._ranks and note.layer else 0
        rated = self._ranking.rate(page, look, FoundBy(note.text, priority))
        self._topic.learned_from_page()
        return rated.score, self._refusal(rated, note, answer)

    def _refusal(self, rated: Rated, note: Note, answer: Answer) -> Skipped | None:
        if not self._drops or not note.layer or note.page > 1 or rated.relevant or rated.leads_on:
            return None
        if self._is_below_relevant(note.parent):
            return None
        told = f"its score is {rated.score:.2f}; relevant is what is above {self._topic.model.threshold:.2f}"
        return Skipped(answer, "off-topic", told, score=rated.score)

    def _is_below_relevant(self, row: int) -> bool:
        """Whether *row*, a page, or one above it is on the topic; entry pages do not count."""
        known = self._below.get(row)
        if known is not None:
            return known
        columns = (node.c.layer, node.c.page, node.c.chain, node.c.parent, node.c.score)
        found = self._store.connection.execute(select(*columns).where(node.c.id == row)).first() if row else None
        if found is None or found.layer == 0:
            answer = False
        elif found.page > 1 and found.chain != row:
            answer = self._is_below_relevant(found.chain)
        else:
            relevant = found.score is not None and self._topic.model.relevant(found.score)
            answer = relevant or self._is_below_relevant(found.parent)
        self._below[row] = answer
        if len(self._below) > ANCESTORS_KEPT:
            self._below.popitem(last=False)
        return answer
