"""The vector space model of the topic crawler of 2007."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

from picspider.topic.model import PageScore
from picspider.topic.page_text import PageText
from picspider.topic.segmentation import words
from picspider.topic.topic import Topic
from picspider.topic.vectors import cosine


class Vsm4BC:
    """Relevance A = 4·B + C, kept when A > 2. Source: *Topic crawler* (Java, 2007).

    B is the cosine of topic and title, C that of topic and body, each over the topic's own words: the vectors have
    the topic's dimension. The paper ranks no links, so a link is worth what its page is worth.
    """

    name: ClassVar[str] = "vsm-4b-c"
    default_threshold: ClassVar[float] = 2.0

    def __init__(self, topic: Topic, threshold: float | None = None) -> None:
        self.threshold = self.default_threshold if threshold is None else threshold
        own = topic.weights()
        self._topic: dict[str, float] = {word: sum(counts.get(word, 0) for counts in topic.counts()) for word in own}

    def observe(self, page: PageText) -> None:
        """Nothing: the model knows the topic's words only."""

    def score_page(self, title: str, text: str, url: str, inherited: float = 0.0) -> PageScore:
        """A, B and C of the page; its links inherit A."""
        b = cosine(self._topic, self._vector(title))
        c = cosine(self._topic, self._vector(text))
        score = 4 * b + c
        return PageScore(score, b, c, inherited=score)

    def score_link(self, anchor: str, context: str, url: str, parent: PageScore) -> float:
        """The A of the page that holds the link, 0 to 5."""
        return parent.inherited

    def relevant(self, score: float) -> bool:
        """A > threshold."""
        return score > self.threshold

    def learned(self) -> dict[str, Any]:
        """Nothing."""
        return {}

    def remember(self, learned: dict[str, Any]) -> None:
        """Nothing."""

    def _vector(self, text: str) -> dict[str, float]:
        return dict(Counter(word for word in words(text) if word in self._topic))
