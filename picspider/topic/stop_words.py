"""Words that say nothing about a topic, in English and Chinese: the Stopwords ISO collection."""

from __future__ import annotations

from functools import cache

from picspider.topic.extra import needed


@cache
def stop_words() -> frozenset[str]:
    """About 2,100 words and marks, lower case, simplified Chinese. Read on first use, since it takes some ms."""
    return frozenset(needed("stopwordsiso").stopwords(["en", "zh"]))
