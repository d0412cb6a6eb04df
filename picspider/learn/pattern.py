"""One candidate expression for one part of a URL, and how to write text as an expression."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

_SPECIAL = re.compile(r"([.^$*+?{}\[\]\\|()])")

ANYTHING = "[^/?#]+"

Bet = tuple[str, float]
Bets = tuple[Bet, ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    """An expression for one part of a URL, with the bets that choosing it makes.

    A bet is a name from the table of prices and an amount. Those of `miss` are lost when unseen
    URLs of the layer look otherwise, those of `leak` when URLs of other layers look the same.
    """

    regex: str
    miss: Bets = ()
    leak: Bets = ()
    words: str = ""

    def joined(self, other: "Pattern") -> "Pattern":
        """This expression followed by the other."""
        words = " then ".join(text for text in (self.words, other.words) if text)
        return Pattern(self.regex + other.regex, self.miss + other.miss, self.leak + other.leak, words)

    def betting(self, *bets: Bet) -> "Pattern":
        """This expression with further bets that unseen URLs of the layer look like it."""
        return replace(self, miss=(*self.miss, *bets))


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
