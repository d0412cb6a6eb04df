"""A = 4·B + C."""

from __future__ import annotations

from math import isclose, sqrt

import pytest

from picspider.topic import Topic
from picspider.topic.vsm_4b_c import Vsm4BC

MODEL = Vsm4BC(Topic.from_text("apple banana cherry grape lemon mango"))


def test_one_of_six_words_in_the_title() -> None:
    """B = 1/√6 = 0.408, C = 0, so A = 4·0.408 + 0 = 1.633: not above 2."""
    page = MODEL.score_page("Apple pie", "Nothing here", "https://fruit.example/")
    assert isclose(page.title_cosine, 1 / sqrt(6))
    assert page.body_cosine == 0
    assert isclose(page.score, 1.6329931618554523)
    assert not MODEL.relevant(page.score)


def test_title_and_body() -> None:
    """B = 2/(√6·√2) = 0.577; body counts (3, 1): C = 4/(√6·√10) = 0.516; A = 2.309 + 0.516 = 2.826."""
    page = MODEL.score_page("Apple and banana", "apple apple apple mango, stone", "https://fruit.example/")
    assert isclose(page.title_cosine, 0.5773502691896258)
    assert isclose(page.body_cosine, 0.5163977794943222)
    assert isclose(page.score, 2.8257988560528253)
    assert MODEL.relevant(page.score)


def test_words_outside_the_topic_do_not_count() -> None:
    """The vectors have the topic's dimension: more of other words changes nothing."""
    short = MODEL.score_page("apple", "apple", "https://fruit.example/")
    long = MODEL.score_page("apple stone", "apple " + "stone " * 99, "https://fruit.example/")
    assert short == long


def test_a_page_about_all_of_it_scores_five() -> None:
    """B = C = 1: A = 5, the top of the scale."""
    text = "apple banana cherry grape lemon mango"
    assert isclose(MODEL.score_page(text, text, "https://fruit.example/").score, 5)


def test_a_link_is_worth_what_its_page_is() -> None:
    """The paper ranks pages, not links."""
    page = MODEL.score_page("apple", "", "https://fruit.example/")
    assert MODEL.score_link("mango", "", "https://fruit.example/mango", page) == page.score


@pytest.mark.parametrize(("threshold", "kept"), [(None, False), (1.5, True)])
def test_the_threshold_is_a_setting(threshold: float | None, kept: bool) -> None:  # noqa: FBT001 -- a parameter
    """Kept is what lies above it; the paper's is 2."""
    assert Vsm4BC(Topic.from_text("apple"), threshold).relevant(2.0) is kept
