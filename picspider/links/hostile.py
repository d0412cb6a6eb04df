"""Pages made to keep a parser busy: what takes it quadratic time is flattened, what honest pages hold is not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from picspider.links.open_elements import OpenElements

HARMLESS_CHARACTERS = 40_000
DEEPEST = 2_000
MOST_ATTRIBUTES = 1_000
_STEP_CHARACTERS = 4_096

# As the standard reads tags (HTML standard, 13.2.5); every attempt matches, so the whole takes linear time.
_VALUE = r"""(?:"[^"]*(?:"|\Z)|'[^']*(?:'|\Z)|[^\s>"'][^\s>]*)"""
_ATTRIBUTE = rf"[\s/]*[^\s/>][^\s/>=]*(?:\s*=\s*{_VALUE}?)?"
_RAW = "script|style|textarea|title|xmp|iframe|noembed|noframes"
_TAG = re.compile(
    r"<(?:!---?>|!--[^-]*(?:-(?!->)[^-]*)*"
    rf"|/(?P<end>[a-zA-Z][^\s/>]*)(?:{_ATTRIBUTE})*[\s/]*>?"
    rf"|(?P<start>(?P<raw>(?i:{_RAW})(?=[\s/>]))|[a-zA-Z][^\s/>]*)(?P<attributes>(?:{_ATTRIBUTE})*)[\s/]*>?"
    r"(?(raw)[^<]*(?:<(?!/(?i:(?P=raw)))[^<]*)*))"
)
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_START_TAGS = re.compile(rf"<[a-zA-Z](?:{_ATTRIBUTE})*")
# These cannot stand in each other, or mean something else when they are closed at once.
_NEVER_FLAT = frozenset(
    f"{_RAW} a button select option optgroup tr td th tbody thead tfoot caption colgroup".replace("|", " ").split()
)


class Tamed(NamedTuple):
    """A source that a parser can read in linear time.

    `cut`: how many tags lost attributes; `flattened`: how many elements were closed where they begin.
    """

    text: str
    cut: int = 0
    flattened: int = 0

    def told(self) -> str:
        """What a user should know of it; nothing for ordinary pages."""
        facts = []
        if self.cut:
            facts.append(f"{self.cut} tags with more than {MOST_ATTRIBUTES:,} attributes were cut")
        if self.flattened:
            facts.append(f"{self.flattened} elements deeper than {DEEPEST:,} others were closed at once")
        return " and ".join(facts)


class _Edit(NamedTuple):
    start: int
    end: int
    new: str = ""


def tamed(text: str) -> Tamed:
    """*text* itself, but when thousands of elements stand inside each other, or thousands of attributes in one tag.

    Then an element that begins too deep (browsers have their limit at a depth of 512) is closed at once, its content
    follows it, and a tag is cut behind its first attributes.
    """
    if len(text) < HARMLESS_CHARACTERS:
        return Tamed(text)
    cuts = list(_cuts(text))
    text = _edited(text, cuts)
    if not _may_be_deep(text):
        return Tamed(text, len(cuts))
    edits = list(_flattenings(text))
    return Tamed(_edited(text, edits), len(cuts), sum(1 for edit in edits if edit.new))


def _edited(text: str, edits: list[_Edit]) -> str:
    parts: list[str] = []
    position = 0
    for start, end, new in edits:
        parts += (text[position:start], new)
        position = end
    return "".join((*parts, text[position:])) if edits else text


def _cuts(text: str) -> Iterator[_Edit]:
    if max(map(len, _START_TAGS.findall(text)), default=0) <= 2 * MOST_ATTRIBUTES:
        return  # a quick look, which takes what stands in scripts for tags as well
    for tag in _TAG.finditer(text):
        if tag.end() - tag.start() <= 2 * MOST_ATTRIBUTES or tag["attributes"] is None:
            continue
        start, end = tag.span("attributes")
        following = next(islice(_ATTRIBUTES.finditer(text, start, end), MOST_ATTRIBUTES, None), None)
        if following is not None:
            yield _Edit(following.start(), end)


def _may_be_deep(text: str) -> bool:
    """A quick look that takes every element for one with an end tag."""
    depth = 0
    for start in range(0, len(text), _STEP_CHARACTERS):
        ends = text.count("</", start, start + _STEP_CHARACTERS)
        starts = text.count("<", start, start + _STEP_CHARACTERS) - ends
        if depth + starts > DEEPEST:
            return True
        depth = max(0, depth + starts - ends)
    return False


def _flattenings(text: str) -> Iterator[_Edit]:
    """End tags to put behind start tags that are too deep, and the end tags to take away for them."""
    elements = OpenElements()
    for tag in _TAG.finditer(text):
        if tag["end"] is not None:
            if elements.close(tag["end"].lower()) >= DEEPEST and tag["end"].lower() not in _NEVER_FLAT:
                yield _Edit(*tag.span())
        elif tag["start"] is not None:
            name = tag["start"].lower()
            is_open = elements.open(name, is_closed=tag[0].endswith("/>"))
            if is_open and elements.depth > DEEPEST and name not in _NEVER_FLAT:
                yield _Edit(tag.end(), tag.end(), f"</{name}>")
