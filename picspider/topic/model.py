"""What every model of a topic can do, and what it says about a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from picspider.topic.page_text import PageText
from picspider.topic.topic import Topic


@dataclass(frozen=True, slots=True)
class PageScore:
    """`score` 0 (nothing in common) to 5; the two cosines, 0 to 1, are those of the topic's words with title and body.

    `inherited` is what the page's links start from, on the scale of `TopicModel.score_link`.
    """

    score: float
    title_cosine: float
    body_cosine: float
    inherited: float


class TopicModel(Protocol):
    """Scores pages and links of one crawl for one topic. All of it is arithmetic on text: no I/O, no clock.

    The order of calls for a fetched page is `observe`, `score_page`, then `score_link` for each of its links.
    """

    name: ClassVar[str]
    default_threshold: ClassVar[float]
    threshold: float

    def __init__(self, topic: Topic, threshold: float | None = None) -> None:
        """Raises ConfigError when the model needs more documents than *topic* has."""

    def observe(self, page: PageText) -> None:
        """Learn from a fetched page what words are worth on this site. Each page once."""

    def score_page(self, title: str, text: str, url: str, inherited: float = 0.0) -> PageScore:
        """How much a page is about the topic; *inherited* is the score of the link by which it was found."""

    def score_link(self, anchor: str, context: str, url: str, parent: PageScore) -> float:
        """How promising a link is before it is fetched, from its text, the text around it, its URL and its page.

        Comparable within one crawl only; the highest is fetched first.
        """

    def relevant(self, score: float) -> bool:
        """Whether a page with this `PageScore.score` is kept: it is above the threshold."""

    def learned(self) -> dict[str, Any]:
        """What `observe` has taught so far, for JSON: a crawl that is interrupted goes on with it."""

    def remember(self, learned: dict[str, Any]) -> None:
        """Go on from what a model of the same kind and topic had `learned`."""
