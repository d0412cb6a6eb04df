"""What a person sees of an element: its text and labels, whether it is shown, whether it leads anywhere."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import NamedTuple

from selectolax.lexbor import LexborNode

Attributes = Mapping[str, "str | None"]

LABELS = ("title", "aria-label", "alt")
LONGEST_TEXT = 500
MOST_NODES = 100
CLOSEST_PARENTS = 2
FARTHEST_PARENTS = 64
_DISABLED = re.compile(r"(?:\A|[\s_-])disabled(?=\s|\Z)", re.IGNORECASE)
_NOT_SHOWN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_NOT_READ = frozenset(("script", "style", "template"))
_WRAPPERS = frozenset(("li", "span", "div", "td", "p", "button", "dd", "strong", "b", "em"))
_INLINE_TAGS = """
    -text a abbr b bdi bdo cite code em font i kbd label mark q s small span strong sub sup time tt u var wbr
"""
INLINE = frozenset(_INLINE_TAGS.split())


def fold(text: str) -> str:
    """*text* with runs of white space as one blank, and none at its ends."""
    return " ".join(text.split())


class Reading(NamedTuple):
    """What a person gets from an element: its text, what labels it, and how many pictures are inside."""

    text: str
    labels: tuple[str, ...]
    pictures: int


def read(node: LexborNode, attributes: Attributes) -> Reading:
    """The visible text of *node* (no scripts, a blank where a block, a line or a picture parts it) and its labels."""
    labels = labels_of(attributes)
    parts: list[str] = []
    pictures = 0
    first = node.first_child
    if first is not None and first.tag == "-text" and first.next is None:
        parts.append(node.text())
    elif first is not None:
        pictures = _read_inside(node, parts, labels)
    text = fold("".join(parts))[:LONGEST_TEXT]
    return Reading(text, tuple(dict.fromkeys(folded for label in labels if (folded := fold(label)))), pictures)


def labels_of(attributes: Attributes) -> list[str]:
    """The labels that the element itself has."""
    labels = []
    for name in LABELS:
        value = attributes.get(name)
        if value:
            labels.append(value[:LONGEST_TEXT])
    return labels


def _read_inside(node: LexborNode, parts: list[str], labels: list[str]) -> int:
    """Adds to *parts* and *labels* what stands inside of *node*; the number of pictures there. Stops at a long text."""
    pictures = length = 0
    not_read: set[int] = set()
    for child in islice(node.traverse(include_text=True), 1, MOST_NODES):
        tag = child.tag or ""
        if tag == "-text":
            if not_read and child.parent is not None and child.parent.mem_id in not_read:
                continue
            previous = child.prev
            if previous is not None and previous.tag not in INLINE:
                parts.append(" ")
            text = child.text()
            parts.append(text)
            length += len(text)
            if length > LONGEST_TEXT:
                break
        elif tag in _NOT_READ:
            not_read.add(child.mem_id)
        else:
            if tag not in INLINE:
                parts.append(" ")
            pictures += tag == "img"
            labels += labels_of(child.attributes)
    return pictures


def is_disabled(node: LexborNode, attributes: Attributes) -> bool:
    """True for a link that is shown greyed: by attribute, class or ARIA, on itself or on what is closely around it."""
    if "disabled" in attributes or says_disabled(attributes):
        return True
    parent = node.parent
    for _ in range(CLOSEST_PARENTS):
        if parent is None or parent.tag not in _WRAPPERS:
            return False
        if says_disabled(parent.attributes):
            return True
        parent = parent.parent
    return False


def says_disabled(attributes: Attributes) -> bool:
    """True when class or ARIA grey out an element with these attributes."""
    classes = attributes.get("class")
    if classes and "isabled" in classes.lower() and _DISABLED.search(classes) is not None:
        return True
    return "aria-disabled" in attributes and (attributes["aria-disabled"] or "").strip().lower() == "true"


def hides(attributes: Attributes) -> bool:
    """True when an element with these attributes is not shown, nor what is inside."""
    style = attributes.get("style")
    return "hidden" in attributes or (style is not None and _NOT_SHOWN.search(style) is not None)


def is_hidden(node: LexborNode, attributes: Attributes) -> bool:
    """True when *node* or an element around it is not shown, as far as its attributes tell."""
    around: LexborNode | None = node
    for _ in range(FARTHEST_PARENTS):
        if around is None or around.tag == "html":
            return False
        if hides(attributes):
            return True
        around = around.parent
        attributes = around.attributes if around is not None else {}
    return False


def picture_of(node: LexborNode, tag: str) -> int:
    """The same number for the elements that show one picture: a link around a single <img>, and that <img>."""
    if tag == "img":
        around = node.parent
        for _ in range(CLOSEST_PARENTS * 2):
            if around is None:
                break
            if around.tag == "a":
                return around.mem_id if read(around, {}).pictures == 1 else node.mem_id
            around = around.parent
    return node.mem_id
