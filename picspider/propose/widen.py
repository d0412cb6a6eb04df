"""A rule for a whole site is learned from a few pages: names are taken as wide as the links seen allow."""

from __future__ import annotations

import re
from collections.abc import Iterable

ANY_NAME = "[^/?#]+"
# Kinds of characters that names happened to have, and lists of three names or more; numbers stay numbers.
_NARROW = re.compile(
    r"(?<!\\)\[(?:a-z|A-Z|A-Za-z|\\w|\\d|[-_])+\](?:[+]|\{\d+,?\d*\})|\\w(?:[+]|\{\d+,?\d*\})"
    r"|\[\^/\?#[-_.]+\][+]"
    r"|\(\?:(?!avif|jpe|jpg|png|gif|webp)[\w%-]+(?:\|[\w%-]+){2,}\)"
)


def widened(regex: str, unwanted: Iterable[str]) -> str:
    """*regex* with any name in place of particular ones, as long as it takes no more of the *unwanted*."""
    urls = list(unwanted)
    taken = _taken(regex, urls)
    start = 0
    while narrow := _NARROW.search(regex, start):
        wide = regex[: narrow.start()] + ANY_NAME + regex[narrow.end() :]
        if _is_digits(narrow[0]) or _runs_on(regex, narrow) or _taken(wide, urls) != taken:
            start = narrow.end()
        else:
            regex, start = wide, narrow.start() + len(ANY_NAME)
    return regex


def _taken(regex: str, urls: Iterable[str]) -> list[str]:
    pattern = re.compile(regex)
    return [url for url in urls if pattern.search(url)]


def _is_digits(part: str) -> bool:
    return part.startswith((r"[\d", r"\d")) and not re.search("[a-zA-Z]", part.replace(r"\d", ""))


def _runs_on(regex: str, narrow: re.Match[str]) -> bool:
    """Whether another repetition stands beside it: two of them could share one text in many ways."""
    return regex[narrow.end() : narrow.end() + 1] in ("\\", "[", "(") and not regex[narrow.end() :].startswith(r"\.")
