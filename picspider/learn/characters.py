"""The lattice of character classes, from narrow to wide."""

import re
from collections.abc import Iterator
from functools import lru_cache

from picspider.learn.pattern import Pattern

CLASSES: dict[str, str] = {
    r"\d": "digits",
    r"[\d-]": "digits and hyphens",
    r"[\da-f]": "hexadecimal digits",
    r"[\da-f-]": "hexadecimal digits and hyphens",
    "[A-Z]": "capitals",
    r"[A-Z\d]": "capitals and digits",
    "[a-z]": "small letters",
    r"[a-z\d]": "small letters and digits",
    "[a-zA-Z]": "letters",
    r"[a-zA-Z\d]": "letters and digits",
    r"\w": "word characters",
    "[a-z-]": "small letters and hyphens",
    r"[a-z\d-]": "small letters, digits and hyphens",
    r"[\w-]": "word characters and hyphens",
    r"[\w%-]": "word characters, hyphens and escapes",
    "[^/?#.]": "anything without a dot",
    "[^/?#_]": "anything without an underscore",
    r"[^/?#\d]": "anything without a digit",
    "[^/?#-]": "anything without a hyphen",
    "[^/?#=]": "anything without an equals sign",
    "[^/?#]": "anything without a slash",
}


_CHANGE = re.compile(r"(?<=[a-z])[A-Z\d]|(?<=\d)[a-zA-Z]|(?<=[A-Z])\d|(?<=[A-Z]{2})[a-z]")


@lru_cache(maxsize=256)
def _all_in(regex: str) -> re.Pattern[str]:
    return re.compile(regex + "*")


def covering(values: tuple[str, ...]) -> list[str]:
    """The classes that hold every character of every value, narrow ones first.

    Hexadecimal digits only where chance is no likely reason for having no letter behind f.
    """
    letters = sum(character.isalpha() for value in values for character in value)
    return [
        regex
        for regex in CLASSES
        if all(_all_in(regex).fullmatch(value) for value in values) and (letters >= 4 or "a-f" not in regex)
    ]


def _kind(values: tuple[str, ...]) -> str:
    """Numbers, random identifiers (which change between cases and digits again and again), or words."""
    joined = "".join(values)
    if joined.replace("-", "").isdecimal():
        return "number"
    return "id" if len(_CHANGE.findall(joined)) > len(joined) * 0.15 else "words"


def runs(values: tuple[str, ...], doubt: float) -> Iterator[Pattern]:
    """Expressions of one repeated class for all values, of free, least or fixed length.

    `doubt` falls from 1 with the number of distinct values.
    """
    lengths = sorted({len(value) for value in values})
    shortest, longest = lengths[0], lengths[-1]
    kind = _kind(values)
    for regex in covering(values):
        words, miss, leak = CLASSES[regex], ("class " + regex, doubt), ("class " + regex, 1.0)
        yield Pattern(regex + ("+" if shortest else "*"), (miss,), (leak,), words)
        if shortest == longest and shortest > 1 and doubt < 1.0:
            size = "short" if shortest < 6 else "medium" if shortest < 10 else "long"
            bets = (miss, (f"fixed {size} {kind}", doubt))
            yield Pattern(f"{regex}{{{shortest}}}", bets, (leak, ("fixed", 1.0)), f"{shortest} {words}")
        elif shortest >= 4:
            for least, name in ((shortest, "least"), (shortest * 2 // 3, "least, roughly")):
                if least > 1:
                    bets = (miss, (f"{name} {kind}", doubt))
                    yield Pattern(f"{regex}{{{least},}}", bets, (leak, (name, 1.0)), f"at least {least} {words}")
        if shortest != longest and shortest and longest <= 12:
            bets = (miss, ("range", doubt))
            yield Pattern(
                f"{regex}{{{shortest},{longest}}}", bets, (leak, ("range", 1.0)), f"{shortest} to {longest} {words}"
            )
