"""What a focused crawl looks for."""

from __future__ import annotations

from math import log

import pytest

from picspider.errors import ConfigError
from picspider.topic import PageText, Topic
from picspider.topic.topic import MAX_TOPIC_WORDS


def test_words_of_a_text_weigh_by_use() -> None:
    """One use weighs log 2, two uses log 3."""
    assert Topic.from_text("graph graph colouring").weights() == {"graph": log(3), "colouring": log(2)}


def test_each_paragraph_of_a_file_is_a_document() -> None:
    """So a file can hold several descriptions."""
    assert len(Topic.from_text("one graph\n\nanother graph\n \nthird tree").documents) == 3


def test_a_topic_of_stop_words_only_keeps_them() -> None:
    """Where nothing else is left, the stop words are the topic."""
    assert set(Topic.from_text("the who").weights()) == {"the", "who"}


@pytest.mark.parametrize("text", ["", "  \n\n ", "…!"])
def test_an_empty_topic_is_refused(text: str) -> None:
    """A topic without a word raises."""
    with pytest.raises(ConfigError, match="topic is empty"):
        Topic.from_text(text)


def test_seed_pages_keep_the_words_that_they_share() -> None:
    """Of long pages the strongest words stay: what all pages use comes first."""
    pages = [
        PageText(f"https://seed.example/{n}", "Orchids", " ".join(f"w{n}x{k}" for k in range(80))) for n in range(3)
    ]
    weights = Topic.from_pages(pages).weights()
    assert len(weights) == MAX_TOPIC_WORDS
    assert next(iter(weights)) == "orchids"
