"""The default model: BM25 over what the crawler has seen, links scored in the manner of shark-search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import log, sqrt
from typing import Any, ClassVar

from picspider.topic.model import PageScore
from picspider.topic.page_text import PageText
from picspider.topic.terms import terms, url_terms
from picspider.topic.topic import Topic
from picspider.topic.vectors import cosine

# term saturation: how many uses in a page of average length count half
HALF_SATURATION = 3.0
# of a page's own score, the part that its title makes
TITLE_SHARE = 0.5
# of a link's score, the part that comes from its page, and what of the page's worth is handed on
INHERITED_SHARE = 0.4
DECAY = 0.5
# of a link's own part, the share of the text around it; the rest is anchor text and URL
CONTEXT_SHARE = 0.3
# keeps words that every page has from weighing nothing, and the first pages from deciding alone
IDF_FLOOR = 1.0


class SharkBm25:
    """Scores with the words' rarity on the pages fetched so far, so it knows nothing that a crawler cannot know.

    A page's worth is the mean of two shares of the topic's weight: that of the words in its title, and that of the
    words in its body, each saturating as in BM25 (Robertson and Zaragoza, *The Probabilistic Relevance Framework*,
    2009, b = 1). Its score is 5·√worth, which puts pages on a topic above 2. A link is worth what its anchor text
    and URL, and to a smaller part the text around it, share with the topic, plus what its page hands on: half of
    its worth or of what it inherited itself, whichever is more, so that the way through a page that is off topic
    stays open for a few clicks (Hersovici et al., *The shark-search algorithm*, 1998).
    """

    name: ClassVar[str] = "shark-bm25"
    default_threshold: ClassVar[float] = 2.0

    def __init__(self, topic: Topic, threshold: float | None = None) -> None:
        self.threshold = self.default_threshold if threshold is None else threshold
        self._weights = _term_weights(topic)
        self._pages = 0
        self._terms_seen = 0
        self._pages_with: dict[str, int] = dict.fromkeys(self._weights, 0)
        self._weighted: dict[str, float] = dict(self._weights)
        self._total = sum(self._weights.values())

    def observe(self, page: PageText) -> None:
        """Count the page and the topic's words in it. The memory is that of the topic's words, whatever the crawl."""
        title, body = terms(page.title), terms(page.text)
        self._pages += 1
        self._terms_seen += len(body)
        for term in self._pages_with.keys() & {*title, *body}:
            self._pages_with[term] += 1
        self._weigh()

    def _weigh(self) -> None:
        self._weighted = {term: weight * self._rarity(term) for term, weight in self._weights.items()}
        self._total = sum(self._weighted.values())

    def score_page(self, title: str, text: str, url: str, inherited: float = 0.0) -> PageScore:
        """Score 0 to 5; the cosines are over the topic's words, as weighted at this moment."""
        title_counts = self._counts(terms(title))
        body_terms = terms(text)
        body_counts = self._counts(body_terms)
        worth = TITLE_SHARE * self._covered(title_counts) + (1 - TITLE_SHARE) * self._bm25(body_counts, len(body_terms))
        return PageScore(
            score=5 * sqrt(worth),
            title_cosine=cosine(self._weighted, title_counts),
            body_cosine=cosine(self._weighted, body_counts),
            inherited=DECAY * max(worth, inherited),
        )

    def score_link(self, anchor: str, context: str, url: str, parent: PageScore) -> float:
        """0 to 1."""
        own = self._covered(url_terms(url).union(terms(anchor)))
        around = self._covered(set(terms(context)))
        near = (1 - CONTEXT_SHARE) * own + CONTEXT_SHARE * around
        return INHERITED_SHARE * parent.inherited + (1 - INHERITED_SHARE) * near

    def relevant(self, score: float) -> bool:
        """Above the threshold."""
        return score > self.threshold

    def learned(self) -> dict[str, Any]:
        """How many pages and terms were seen, and how many pages have each word of the topic."""
        return {"pages": self._pages, "terms": self._terms_seen, "pages_with": dict(self._pages_with)}

    def remember(self, learned: dict[str, Any]) -> None:
        """As if the pages had been observed by this model. Words that are not the topic's are passed over."""
        self._pages, self._terms_seen = int(learned["pages"]), int(learned["terms"])
        self._pages_with = {term: int(learned["pages_with"].get(term, 0)) for term in self._weights}
        self._weigh()

    def _rarity(self, term: str) -> float:
        return IDF_FLOOR + log((self._pages + 2) / (self._pages_with[term] + 1))

    def _counts(self, found: Iterable[str]) -> dict[str, int]:
        return dict(Counter(term for term in found if term in self._weights))

    def _covered(self, found: Iterable[str]) -> float:
        """The share of the topic's weight that *found* (each term once) holds, 0 to 1."""
        return sum(self._weighted.get(term, 0.0) for term in found) / self._total

    def _bm25(self, counts: Mapping[str, int], length_terms: int) -> float:
        """As `_covered`, each term saturating with its count relative to the page's length."""
        mean_length = self._terms_seen / self._pages if self._pages else length_terms
        half = HALF_SATURATION * length_terms / mean_length if mean_length else HALF_SATURATION
        return sum(self._weighted[term] * count / (count + half) for term, count in counts.items()) / self._total


def _term_weights(topic: Topic) -> dict[str, float]:
    """The topic's words by stem; words with one stem add up."""
    weights: dict[str, float] = {}
    for word, weight in topic.weights().items():
        for term in terms(word) or (word,):
            weights[term] = weights.get(term, 0.0) + weight
    return weights
