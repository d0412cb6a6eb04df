"""One candidate expression for one part of a URL, and how to write text as an expression."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

_SPECIAL = re.compile(r"([.^$*+?{}\[\]\\|()])")


@dataclass(frozen=True, slots=True)
class Pattern:
    """An expression for one part of a URL.

    `miss` is the price of the assumption that unseen URLs of the layer fit it too, `leak` the
    price of what it lets through; both are relative, lower is better.
    """

    regex: str
    miss: float
    leak: float
    words: str


def escape(text: str) -> str:
    """Escape only what the `re` syntax needs outside a character class."""
    return _SPECIAL.sub(r"\\\1", text).replace("\n", r"\n")


@lru_cache(maxsize=8192)
def matcher(regex: str) -> Callable[[str], object]:
    """The `fullmatch` of the compiled expression."""
    return re.compile(regex).fullmatch


def alternatives(words: list[str]) -> str:
    """A group of literal words, in the order given."""
    return escape(words[0]) if len(words) == 1 else "(?:" + "|".join(map(escape, words)) + ")"
