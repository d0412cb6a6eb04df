"""`topic:` in a crawl by layers: the most promising album first, and with a threshold none that is off the topic."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from picspider.strategy.topic import SCALE, described_links, judge

if TYPE_CHECKING:
    from picspider.links.page import Page
    from picspider.strategy.layers import Look, Visit
    from picspider.topic import LinkText, PageScore, TopicModel


@dataclass(frozen=True, slots=True)
class FoundBy:
    """The link by which a page was found: its text, and the priority that it had (0: an entry)."""

    text: str
    priority: int


@dataclass(frozen=True, slots=True)
class Rated:
    """What a page is worth, whether it is about the topic, and whether it leads there: one of its links says so."""

    score: float
    relevant: bool
    leads_on: bool


class AlbumRanking:
    """Scores pages and what they lead to by *model*. `ranks`: visits get their priorities, for `order: best`."""

    def __init__(self, model: TopicModel, *, ranks: bool) -> None:
        self._model = model
        self._ranks = ranks

    def rate(self, page: Page, look: Look, found: FoundBy) -> Rated:
        """Judge *page*, and give the visits of *look* their priorities.

        An album is about the topic when its page is, or the text of the link to it: many an album has no other title.
        """
        judged = judge(self._model, page, found.priority / SCALE)
        score = max(judged.score.score, self._score_of(found.text, page.url))
        if self._ranks:
            self._rank(page, look, found, judged.score)
        leads_on = any(
            visit.kind == "page" and self._model.relevant(self._score_of(visit.text, visit.url))
            for visit in look.visits
        )
        return Rated(score, self._model.relevant(score), leads_on)

    def _score_of(self, text: str, url: str) -> float:
        return self._model.score_page(text, text, url).score if text else 0.0

    def _rank(self, page: Page, look: Look, found: FoundBy, worth: PageScore) -> None:
        links: dict[str, LinkText] = {}
        for url, link in described_links(page):
            links.setdefault(url, link)
        look.visits = [self._ranked(visit, links.get(visit.url), found, worth) for visit in look.visits]
        # The next page promises what this one has shown.
        best = max((visit.priority for visit in look.visits), default=found.priority)
        look.next_pages = [replace(visit, priority=best) for visit in look.next_pages]

    def _ranked(self, visit: Visit, link: LinkText | None, found: FoundBy, worth: PageScore) -> Visit:
        text = visit.text or (link.text if link is not None else "")
        context = link.context if link is not None else ""
        priority = round(SCALE * self._model.score_link(text, context, visit.url, worth))
        # Pictures come right after their page: those of the best album before the pages of the second best.
        return replace(visit, priority=max(priority, found.priority + 1) if visit.kind == "picture" else priority)
