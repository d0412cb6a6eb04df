"""What the ways of reading a page have in common: candidates in document order, described when a rule wants them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from picspider.links.labels import LONGEST_TEXT, Attributes, Reading, fold
from picspider.links.link import Link

# Found in the content of these, not on an element that a person sees.
UNSEEN = frozenset(("script", "style", "template", "meta", "iframe"))
ANCHORS = frozenset(("a", "area", "link", "button", "input"))
# Elements whose text says what they are.
READ = frozenset(("a", "button", "summary", "label"))
# Several of these on one element are several pictures.
ALONE = frozenset(("lazy-list", "script", "style"))


class Candidate(NamedTuple):
    """A reference (see `Reference`) with the tag and the attributes of the element that it was found on."""

    raw: str
    origin: str
    width: int
    tag: str
    attributes: Attributes


class Document(Protocol):
    """A page that has been read. Candidates are told by their index."""

    @property
    def candidates(self) -> Sequence[Candidate]:
        """Every reference in document order."""

    def base(self) -> str | None:
        """The href of the first `<base>` that has one."""

    def describe(self, index: int, url: str, groups: dict[int, int]) -> Link:
        """The link of a candidate, which leads to *url*; *groups* numbers the pictures met so far (`Link.group`)."""

    def related(self) -> Iterable[int]:
        """The candidates on elements with a rel attribute."""

    def beginning_with(self, compact: str) -> Iterable[int]:
        """The candidates whose text, label or rel word begins with *compact* (a text `compacted`)."""


def link_of(candidate: Candidate, url: str, reading: Reading, group: int) -> Link:
    """The link of an element that a person sees and reads as *reading* says."""
    _, origin, width, tag, attributes = candidate
    text, labels, _ = reading
    if tag not in READ and origin != "script":
        text = fold((attributes.get("value") or "")[: LONGEST_TEXT * 2]) if tag == "input" else ""
    text = text or (labels[0] if labels else "")
    return Link(url, text, origin, labels, rel_words(attributes), width, group)


def rel_words(attributes: Attributes) -> tuple[str, ...]:
    """The words of the rel attribute in small letters."""
    rel = attributes.get("rel")
    return tuple(rel[:LONGEST_TEXT].lower().split()) if rel else ()


def own_words_begin(candidate: Candidate, compact: str) -> bool:
    """True when a rel word, or the value of an input, begins with *compact*."""
    attributes = candidate.attributes
    rel = attributes.get("rel")
    value = attributes.get("value") if candidate.tag == "input" else None
    return bool((rel and compact in compacted(rel)) or (value and compacted(value).startswith(compact)))


def compacted(text: str) -> str:
    """*text* without white space and differences of case."""
    return "".join(text.split()).casefold()
