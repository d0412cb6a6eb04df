"""What a focused crawl looks for: a text, or pages that are on the topic."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import log

from picspider.errors import ConfigError
from picspider.topic.page_text import PageText
from picspider.topic.segmentation import all_words, words

MAX_TOPIC_WORDS = 60


@dataclass(frozen=True, slots=True)
class Topic:
    """The documents that describe a topic, at least one; what they share is the topic.

    Build it by `from_text` (a description, or the content of a file) or `from_pages` (seed pages).
    """

    documents: tuple[PageText, ...]

    @classmethod
    def from_text(cls, text: str) -> Topic:
        """The topic of *text*; each paragraph is a document. Raises ConfigError when it holds no word."""
        return cls.from_pages(PageText("", "", part) for part in re.split(r"\n\s*\n", text) if part.strip())

    @classmethod
    def from_pages(cls, pages: Iterable[PageText]) -> Topic:
        """The topic of seed pages. Raises ConfigError when they hold no word."""
        topic = cls(tuple(pages))
        if not any(document_words(page) for page in topic.documents):
            raise ConfigError("the topic is empty: give a few words, a sentence, or pages on the topic")
        return topic

    def counts(self) -> tuple[Mapping[str, int], ...]:
        """How often each word is in each document."""
        return tuple(Counter(document_words(page)) for page in self.documents)

    def weights(self) -> dict[str, float]:
        """The topic's own words, at most `MAX_TOPIC_WORDS`, with how strongly the documents use them: Σ log(1 + tf).

        Words of many documents come before frequent words of one. Short texts keep all of their words.
        """
        strength: dict[str, float] = {}
        for counts in self.counts():
            for word, count in counts.items():
                strength[word] = strength.get(word, 0.0) + log(1 + count)
        strongest = sorted(strength, key=lambda word: -strength[word])[:MAX_TOPIC_WORDS]
        return {word: strength[word] for word in strongest}


@lru_cache(maxsize=64)
def document_words(page: PageText) -> tuple[str, ...]:
    """The words of title and text; a document of stop words only keeps them, or it would describe nothing."""
    text = f"{page.title}\n{page.text}"
    return tuple(words(text) or all_words(text))
