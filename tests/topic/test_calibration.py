"""A threshold from pages that are known to be on the topic."""

from __future__ import annotations

import pytest

from picspider.errors import ConfigError
from picspider.topic import MODELS, PageText, Topic
from picspider.topic.calibration import held_out_scores, scores, threshold_from

ORCHIDS = [
    PageText(f"https://flowers.example/{name}", f"{name} orchids", f"The {name} orchid has {name} flowers and roots")
    for name in ("white", "purple", "yellow", "spotted")
]
OTHERS = [PageText(f"https://flowers.example/{n}", "Imprint", f"Address number {n} and opening hours") for n in "abc"]


def test_three_quarters_of_the_lower_quartile() -> None:
    """Of 2, 3, 4, 5, 6 the lower quartile is 3."""
    assert threshold_from([6, 5, 4, 3, 2]) == 2.25
    assert threshold_from([4]) == 3


def test_pages_off_topic_sharpen_the_cut() -> None:
    """The middle between the two groups; with overlap, the cut that is wrong least often."""
    assert threshold_from([3, 4], [1, 2]) == 2.5
    assert threshold_from([1, 3, 4, 5], [0, 0.5, 2]) == 2.5


def test_without_a_page_there_is_no_threshold() -> None:
    """Nothing to go by raises."""
    with pytest.raises(ConfigError, match="at least one page"):
        threshold_from([])


@pytest.mark.parametrize("name", ["shark-bm25", "vsm-4b-c"])
def test_calibrated_models_part_the_pages(name: str) -> None:
    """With the threshold from four seed pages, a model keeps each of them and drops the others."""
    model = MODELS[name](Topic.from_pages(ORCHIDS), threshold_from(held_out_scores(MODELS[name], ORCHIDS)))
    assert all(model.relevant(score) for score in scores(model, ORCHIDS))
    assert not any(model.relevant(score) for score in scores(model, OTHERS))


@pytest.mark.parametrize("name", MODELS)
def test_held_out_pages_score_above_others(name: str) -> None:
    """Every model knows a seed page again that it was not built from."""
    other = max(scores(MODELS[name](Topic.from_pages(ORCHIDS)), OTHERS))
    assert min(held_out_scores(MODELS[name], ORCHIDS)) > other
