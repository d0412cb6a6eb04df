"""A threshold from pages that are known to be on the topic."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import quantiles

from picspider.errors import ConfigError
from picspider.topic.model import TopicModel
from picspider.topic.page_text import PageText
from picspider.topic.topic import Topic

SHARE_OF_LOWER_QUARTILE = 0.75


def scores(model: TopicModel, pages: Sequence[PageText]) -> list[float]:
    """What *model*, as it is now, gives each page."""
    return [model.score_page(page.title, page.text, page.url).score for page in pages]


def held_out_scores(model: type[TopicModel], seeds: Sequence[PageText]) -> list[float]:
    """The score of each seed page by a model built from the others; a page in its own topic would score too high.

    Raises ConfigError when there are too few seeds: two, or four for `tfidf-seed`.
    """
    found: list[float] = []
    for index, page in enumerate(seeds):
        others = [*seeds[:index], *seeds[index + 1 :]]
        built = model(Topic.from_pages(others))
        for other in others:
            built.observe(other)
        found += scores(built, [page])
    return found


def threshold_from(on_topic: Sequence[float], off_topic: Sequence[float] = ()) -> float:
    """A threshold that keeps pages like those scored *on_topic*.

    With scores of pages off the topic too, the cut with the best balanced accuracy; without, three quarters of the
    lower quartile, since pages found later are seldom as plain as those that a person picks. Raises ConfigError
    without a score on topic.
    """
    if not on_topic:
        raise ConfigError("a threshold needs at least one page on the topic")
    if not off_topic:
        lower = quantiles(on_topic, n=4, method="inclusive")[0] if len(on_topic) > 1 else on_topic[0]
        return SHARE_OF_LOWER_QUARTILE * lower
    return max(_cuts(on_topic, off_topic), key=lambda cut: (_balanced_accuracy(cut, on_topic, off_topic), cut))


def _cuts(on_topic: Sequence[float], off_topic: Sequence[float]) -> list[float]:
    """The middles between neighbouring scores, and one below all."""
    ordered = sorted({*on_topic, *off_topic})
    return [ordered[0] / 2, *((low + high) / 2 for low, high in pairwise(ordered))]


def _balanced_accuracy(cut: float, on_topic: Sequence[float], off_topic: Sequence[float]) -> float:
    kept = sum(score > cut for score in on_topic) / len(on_topic)
    dropped = sum(score <= cut for score in off_topic) / len(off_topic)
    return (kept + dropped) / 2
