"""Expressions for the middle of a value, the only part that may be wide."""

import re
from collections.abc import Iterator

from picspider.learn.characters import runs
from picspider.learn.pattern import Pattern, escape
from picspider.learn.tokens import Values


def middles(values: Values, doubt: float) -> Iterator[Pattern]:
    """Runs of one class, words with joints, something with a number; all match every value."""
    yield from runs(values, doubt)
    if not all(values):
        return
    yield from _slugs(values, doubt)
    numbers = [found[0] for value in values if (found := re.search(r"\d+", value))]
    if len(numbers) == len(values):
        yield Pattern(r"[^/?#\d]*\d[^/?#]*", (("has digit", doubt),), (("has digit", 1.0),), "something with a digit")
        least = min(map(len, numbers)) - 1
        if least > 1:
            yield Pattern(
                rf"[^/?#\d]*\d{{{least}}}[^/?#]*",
                (("long number", doubt),),
                (("long number", 1.0),),
                f"something with a number of {least} digits or more",
            )


def _slugs(values: Values, doubt: float) -> Iterator[Pattern]:
    """Words joined by at least so many hyphens (or underscores, or plus signs)."""
    for separator in "-_+":
        least = min(value.count(separator) for value in values)
        joint = rf"[^/?#{separator}]*{escape(separator)}"
        for number in sorted({1, 2, least - 1, least} & set(range(1, least + 1))):
            joints = joint if number == 1 else f"(?:{joint}){{{number}}}"
            name = "slug" if number == 1 else "slug, roughly" if number < least else "slug, all"
            yield Pattern(
                joints + "[^/?#]*",
                ((name, doubt),),
                (("slug", 1.0), ("slug joint", min(number, 6) - 1.0)),
                f"words with at least {number} “{separator}”",
            )
