"""Words reduced to their stems, and the words of a URL: what the default model compares."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from urllib.parse import unquote

from picspider.topic.extra import needed
from picspider.topic.segmentation import words

LABEL_CHARACTERS = 300
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_EXTENSION = re.compile(r"\.\w{1,5}$")


def terms(text: str) -> tuple[str, ...]:
    """The words of *text* without stop words, English ones reduced to their stems (Snowball)."""
    return _terms_of_label(text) if len(text) <= LABEL_CHARACTERS else _terms_of_body(text)


@lru_cache(maxsize=4096)
def url_terms(url: str) -> frozenset[str]:
    """The terms of the URL's path and query: escapes decoded, joinedWords parted, the file extension left out."""
    after_host = url.partition("://")[2].partition("/")[2]
    path, _, query = after_host.partition("#")[0].partition("?")
    path = _EXTENSION.sub("", unquote(path))
    return frozenset(terms(_HUMP.sub(" ", f"{path} {unquote(query)}")))


# a site's labels come again on every page; a body is asked for twice, by observe and by score_page
@lru_cache(maxsize=8192)
def _terms_of_label(text: str) -> tuple[str, ...]:
    return tuple(_stem(word) for word in words(text))


@lru_cache(maxsize=8)
def _terms_of_body(text: str) -> tuple[str, ...]:
    return tuple(_stem(word) for word in words(text))


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    return _stemmer()(word) if word.isascii() else word


@cache
def _stemmer() -> Callable[[str], str]:
    stem: Callable[[str], str] = needed("snowballstemmer").stemmer("english").stemWord
    return stem
