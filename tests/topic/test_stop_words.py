"""Words that say nothing about a topic."""

from __future__ import annotations

from picspider.topic.stop_words import stop_words


def test_both_languages_are_there() -> None:
    """English and Chinese function words are stop words, words of a subject are not."""
    assert {"the", "and", "的", "以及"} <= stop_words()
    assert not {"graph", "picture", "图片"} & stop_words()
