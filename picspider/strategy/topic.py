"""The focused crawl: what a page is worth, and which of its links are worth following (*Topic crawler*;
*Military-education crawler*). Pure: pages in, scores and visits out.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from picspider.errors import Failed
from picspider.strategy.large_pictures import large_pictures
from picspider.strategy.layers import Visit
from picspider.strategy.link_kinds import LinkKind, LinkKinds
from picspider.topic import LinkText, PageScore, PageText, link_texts, page_text
from picspider.urls import resolver

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from picspider.config.model import TopicConfig
    from picspider.links.page import Page
    from picspider.topic import TopicModel

# A priority, which is a whole number, is so many times a score.
SCALE = 10_000
# Sites that make up ever new addresses have no end; each record of a page holds all the clicks that led there.
MOST_CLICKS = 1000


@dataclass(frozen=True, slots=True)
class Judged:
    """What a page says, how much of it is about the topic, and whether that is enough."""

    text: PageText
    score: PageScore
    relevant: bool


@dataclass(slots=True)
class Leads:
    """The links to follow, and how many links of each kind there are on the page."""

    visits: list[Visit] = field(default_factory=list)
    kinds: Counter[LinkKind] = field(default_factory=Counter)


def judge(model: TopicModel, page: Page, inherited: float = 0.0) -> Judged:
    """Have *model* learn from *page* and score it; *inherited* is the score of the link by which it was found."""
    text = page_text(page.text, page.url)
    model.observe(text)
    score = model.score_page(text.title, text.text, page.url, inherited=inherited)
    return Judged(text, score, model.relevant(score.score))


def described_links(page: Page) -> Iterator[tuple[str, LinkText]]:
    """The links of *page* with an address that is one: (absolute URL, text and surroundings), in document order."""
    resolve = resolver(page.base_url, page.encoding).resolve
    for link in link_texts(page.text):
        try:
            yield resolve(link.href), link
        except Failed:  # noqa: PERF203 - the error is rare, and of one link
            continue  # a person who clicks it gets nowhere, either


class TopicStrategy:
    """The rules of a topic config with its *model*, ready to be asked."""

    def __init__(self, config: TopicConfig, model: TopicModel) -> None:
        self.model = model
        self.kinds = LinkKinds(config.entry, config.topic.scope)
        self._depth = MOST_CLICKS if config.topic.depth is None else min(config.topic.depth, MOST_CLICKS)
        self._best = config.order == "best"

    def inherited_by(self, layer: int, priority: int) -> float:
        """The score of the link by which a page was found, from what the frontier ordered it by."""
        return priority / SCALE if self._best and layer else 0.0

    def look(self, page: Page, judged: Judged, layer: int) -> Leads:
        """The pages that *page*, in *layer*, leads to. A page linked several times is worth its best link."""
        found = Leads()
        best: dict[str, Visit] = {}
        deepest = layer >= self._depth
        for url, link in _with_frames(page):
            kind = self.kinds.kind_of(url)
            found.kinds[kind] += 1
            if url == page.url or not self.kinds.follows(kind) or deepest:
                continue
            priority = self._priority(link, url, judged.score)
            known = best.get(url)
            if known is None or priority > known.priority:
                position = known.position if known is not None else len(best)
                best[url] = Visit(url, "page", layer + 1, 1, link.text, position, priority=priority)
        found.visits = list(best.values())
        return found

    def _priority(self, link: LinkText, url: str, parent: PageScore) -> int:
        return round(SCALE * self.model.score_link(link.text, link.context, url, parent)) if self._best else 0

    def pictures(self, page: Page, judged: Judged, layer: int) -> list[Visit]:
        """The pictures of a relevant *page*; they come before pages, as they are what is looked for."""
        priority = round(SCALE * max(judged.score.score, 1.0))
        return [
            Visit(link.url, "picture", layer + 1, 1, link.text, position, priority=priority)
            for position, link in enumerate(large_pictures(page))
        ]


def _with_frames(page: Page) -> Iterable[tuple[str, LinkText]]:
    """Links that a person clicks, and pages that come by themselves: in frames, and by a refresh."""
    yield from described_links(page)
    source = page.text.lower()
    if "frame" in source or "refresh" in source:
        for link in page.where(accept=lambda candidate: candidate.origin in ("frame", "refresh")):
            yield link.url, LinkText(link.url, link.text, "")
