"""The term weights of the military-education crawler."""

from __future__ import annotations

from collections import Counter
from math import log
from typing import Any, ClassVar

from picspider.errors import ConfigError
from picspider.topic.model import PageScore
from picspider.topic.page_text import PageText
from picspider.topic.segmentation import words
from picspider.topic.topic import Topic
from picspider.topic.vectors import cosine

MIN_DOCUMENTS = 3


def term_weight(average_tf: float, documents: int, documents_with_term: int) -> float:
    """W = Avg(TF) · (1 / (log(nDoc/n) + 1/log(nDoc − 1))), natural logarithms.

    Source: *Military-education crawler* (Java). nDoc is the number of seed pages, n of them have the term, Avg(TF)
    is its mean count over all of them. Words that most seed pages share weigh most. Raises ConfigError for nDoc < 3,
    where log(nDoc − 1) is 0 or undefined.
    """
    if documents < MIN_DOCUMENTS:
        raise ConfigError(f"the model tfidf-seed needs at least {MIN_DOCUMENTS} seed pages, not {documents}")
    return average_tf / (log(documents / documents_with_term) + 1 / log(documents - 1))


class TfidfSeed:
    """Pages most like the seed pages are crawled first, unlike ones dropped. Source: *Military-education crawler*.

    The score is 5 times the cosine of the seed pages' weights W with the page's word counts over the same words, so
    that it has the scale of the other models. A link is worth what its page is worth.
    """

    name: ClassVar[str] = "tfidf-seed"
    default_threshold: ClassVar[float] = 2.0

    def __init__(self, topic: Topic, threshold: float | None = None) -> None:
        self.threshold = self.default_threshold if threshold is None else threshold
        self._weights = seed_weights(topic)

    def observe(self, page: PageText) -> None:
        """Nothing: the weights come from the seed pages."""

    def score_page(self, title: str, text: str, url: str, inherited: float = 0.0) -> PageScore:
        """5 times the cosine of the seed weights with the whole page; its links inherit that."""
        title_counts = self._vector(title)
        body_counts = self._vector(text)
        page = Counter(title_counts)
        page.update(body_counts)
        score = 5 * cosine(self._weights, page)
        return PageScore(
            score, cosine(self._weights, title_counts), cosine(self._weights, body_counts), inherited=score
        )

    def score_link(self, anchor: str, context: str, url: str, parent: PageScore) -> float:
        """The score of the page that holds the link, 0 to 5."""
        return parent.inherited

    def relevant(self, score: float) -> bool:
        """Above the threshold."""
        return score > self.threshold

    def learned(self) -> dict[str, Any]:
        """Nothing."""
        return {}

    def remember(self, learned: dict[str, Any]) -> None:
        """Nothing."""

    def _vector(self, text: str) -> Counter[str]:
        return Counter(word for word in words(text) if word in self._weights)


def seed_weights(topic: Topic) -> dict[str, float]:
    """W of every word of the seed pages. Raises ConfigError when there are fewer than three."""
    counts = topic.counts()
    total: Counter[str] = Counter()
    having: Counter[str] = Counter()
    for document in counts:
        total.update(document)
        having.update(document.keys())
    return {word: term_weight(total[word] / len(counts), len(counts), having[word]) for word in total}
