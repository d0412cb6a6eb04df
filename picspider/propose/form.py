"""The form of URLs: what those of one layer have in common as a rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from picspider.links.looks import PICTURES

_DIGITS = re.compile(r"\d+")
_ENDING = re.compile(r"\.([A-Za-z][A-Za-z0-9]{1,4})$")


class Form(NamedTuple):
    """Host, number of path segments, kind of ending, names of the query's parameters."""

    host: str
    depth: int
    ending: str
    parameters: tuple[str, ...]


class Split(NamedTuple):
    """A URL in parts; `skeleton` is the whole with 0 for every number."""

    form: Form
    segments: tuple[str, ...]
    skeleton: str


@lru_cache(maxsize=20_000)
def split(url: str) -> Split:
    """The parts of *url*."""
    parts = urlsplit(url)
    segments = tuple(parts.path.split("/")[1:])
    ending = _ENDING.search(segments[-1] if segments else "")
    kind = ending[1].lower() if ending else "/" if parts.path.endswith("/") else ""
    names = tuple(sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)}))
    form = Form(parts.netloc, len(segments), "picture" if kind in PICTURES else kind, names)
    return Split(form, segments, _DIGITS.sub("0", url))


@dataclass(frozen=True, slots=True)
class Mould:
    """What some URLs have in common: their forms, and for each path segment its text, numbers as 0, or None."""

    forms: frozenset[Form]
    segments: tuple[str | None, ...]

    @classmethod
    def of(cls, urls: Iterable[str]) -> Mould:
        """The mould of *urls*."""
        found = [split(url) for url in urls]
        longest = max((len(each.segments) for each in found), default=0)
        return cls(frozenset(each.form for each in found), tuple(_common(found, place) for place in range(longest)))

    def fits(self, url: str) -> bool:
        """Whether *url* could be one of them."""
        parts = split(url)
        return parts.form in self.forms and all(
            text is None or (place < len(parts.segments) and _DIGITS.sub("0", parts.segments[place]) == text)
            for place, text in enumerate(self.segments[: len(parts.segments)])
        )


def _common(found: Sequence[Split], place: int) -> str | None:
    texts = {_DIGITS.sub("0", each.segments[place]) if place < len(each.segments) else None for each in found}
    return texts.pop() if len(texts) == 1 else None


def spread(items: Sequence[str], most: int) -> list[str]:
    """At most *most* of *items*, each once, from first to last at even distances."""
    distinct = list(dict.fromkeys(items))
    if len(distinct) <= most:
        return distinct
    if most <= 1:
        return distinct[:most]
    return [distinct[round(number * (len(distinct) - 1) / (most - 1))] for number in range(most)]
