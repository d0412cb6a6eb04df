"""The lattice of character classes, from narrow to wide.

Each class has two prices: `miss`, that an unseen value has another character (it falls with the
number of distinct examples), and `leak`, that a value of another layer fits as well.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from picspider.learn.pattern import Pattern
from picspider.learn.prices import PRICES


@dataclass(frozen=True, slots=True)
class CharacterClass:
    regex: str
    miss: float
    leak: float
    words: str


CLASSES = (
    CharacterClass(r"\d", 0.25, 0.05, "digits"),
    CharacterClass(r"[\da-f]", 0.9, 0.12, "hexadecimal digits"),
    CharacterClass(r"[\da-f-]", 0.7, 0.12, "hexadecimal digits and hyphens"),
    CharacterClass(r"[A-Z]", 1.5, 0.2, "capitals"),
    CharacterClass(r"[A-Z\d]", 1.0, 0.2, "capitals and digits"),
    CharacterClass(r"[a-z]", 1.5, 0.25, "small letters"),
    CharacterClass(r"[a-z\d]", 1.0, 0.3, "small letters and digits"),
    CharacterClass(r"[a-zA-Z]", 1.4, 0.3, "letters"),
    CharacterClass(r"[a-zA-Z\d]", 0.7, 0.35, "letters and digits"),
    CharacterClass(r"\w", 0.6, 0.36, "word characters"),
    CharacterClass(r"[a-z-]", 1.3, 0.3, "small letters and hyphens"),
    CharacterClass(r"[a-z\d-]", 0.9, 0.35, "small letters, digits and hyphens"),
    CharacterClass(r"[\d-]", 0.8, 0.1, "digits and hyphens"),
    CharacterClass(r"[\w-]", 0.35, 0.4, "word characters and hyphens"),
    CharacterClass(r"[\w%-]", 0.35, 0.42, "word characters, hyphens and escapes"),
    CharacterClass(r"[^/?#.]", 0.25, 0.43, "anything without a dot"),
    CharacterClass(r"[^/?#_]", 0.9, 0.44, "anything without an underscore"),
    CharacterClass(r"[^/?#\d]", 0.9, 0.44, "anything without a digit"),
    CharacterClass(r"[^/?#-]", 0.9, 0.44, "anything without a hyphen"),
    CharacterClass(r"[^/?#=]", 0.3, 0.48, "anything without an equals sign"),
    CharacterClass(r"[^/?#]", 0.0, 0.5, "anything up to the next slash"),
)
ANY = CLASSES[-1].regex
DIGIT = CLASSES[0].regex


@lru_cache(maxsize=256)
def _all_in(regex: str) -> re.Pattern[str]:
    return re.compile(regex + "*")


def covering(values: tuple[str, ...]) -> list[CharacterClass]:
    """The classes that hold every character of every value, narrow ones first."""
    return [c for c in CLASSES if all(_all_in(c.regex).fullmatch(value) for value in values)]


def runs(values: tuple[str, ...], count: float) -> Iterator[Pattern]:
    """Expressions of one repeated class for all values, of free, least or fixed length."""
    lengths = sorted({len(value) for value in values})
    shortest, longest = lengths[0], lengths[-1]
    wordy = all(value.replace("-", "").isalpha() for value in values)
    for c in covering(values):
        miss = (PRICES["digit_miss"] if c.regex == DIGIT else c.miss * PRICES["class_miss"]) / count
        leak = c.leak * PRICES["class_leak"]
        yield Pattern(c.regex + ("+" if shortest else "*"), miss, leak, c.words)
        if shortest == longest and shortest > 1:
            name = "fixed_short" if shortest < 6 else "fixed_medium" if shortest < 10 else "fixed_long"
            price = PRICES[name] * (PRICES["fixed_words"] if wordy else 1.0)
            yield Pattern(f"{c.regex}{{{shortest}}}", miss + price / count, leak * 0.6, f"{shortest} {c.words}")
        elif shortest >= 4:
            for least, name in ((shortest, "least_all"), (shortest * 2 // 3, "least_some")):
                if least > 1:
                    regex = f"{c.regex}{{{least},}}"
                    yield Pattern(regex, miss + PRICES[name] / count, leak * 0.9, f"at least {least} {c.words}")
        if shortest != longest and shortest and longest <= 12:
            regex = f"{c.regex}{{{shortest},{longest}}}"
            yield Pattern(regex, miss + PRICES["range"] / count, leak * 0.8, f"{shortest} to {longest} {c.words}")
