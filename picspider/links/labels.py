"""What a person sees of an element: its text and labels, whether it is shown, whether it leads anywhere."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

LONGEST_TEXT = 500
CLOSEST_PARENTS = 2
FARTHEST_PARENTS = 64
_DISABLED = re.compile(r"(?:\A|[\s_-])disabled(?=\s|\Z)", re.IGNORECASE)
_NOT_SHOWN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_NOT_READ = frozenset(("script", "style", "template", "noscript", "-comment"))
_WRAPPERS = frozenset(("li", "span", "div", "td", "p", "button", "dd", "strong", "b", "em"))
_INLINE_TAGS = """
    -text a abbr b bdi bdo cite code em font i kbd label mark q s small span strong sub sup time tt u var wbr
"""
_INLINE = frozenset(_INLINE_TAGS.split())


def fold(text: str) -> str:
    """*text* with runs of white space as one blank, and none at its ends."""
    return " ".join(text.split())


def visible_text(node: LexborNode) -> str:
    """What a person reads of *node*: without scripts, a blank where a block, a line or a picture parts it."""
    first = node.first_child
    if first is None:
        return ""
    if first.tag == "-text" and first.next is None:
        return fold(node.text())[:LONGEST_TEXT]
    parts: list[str] = []
    not_read: set[int] = set()
    length = 0
    for child in node.traverse(include_text=True):
        tag = child.tag or ""
        parent = child.parent
        if tag in _NOT_READ or (parent is not None and parent.mem_id in not_read):
            not_read.add(child.mem_id)
        elif tag == "-text":
            previous = child.prev
            if previous is not None and previous.tag not in _INLINE:
                parts.append(" ")
            text = child.text()
            parts.append(text)
            length += len(text)
            if length > LONGEST_TEXT:
                break
        elif tag not in _INLINE:
            parts.append(" ")
    return fold("".join(parts))[:LONGEST_TEXT]


def own_labels(node: LexborNode, attributes: dict[str, str | None]) -> tuple[str, ...]:
    """Title, aria-label and alternative text of *node* and of the pictures inside, folded, empty ones left out."""
    found = [attributes.get("title"), attributes.get("aria-label"), attributes.get("alt")]
    if node.first_child is not None:
        for inner in node.css("img, svg title, [aria-label]")[:CLOSEST_PARENTS]:
            if inner.mem_id != node.mem_id:
                own = inner.attributes
                found += [own.get("alt"), own.get("title"), own.get("aria-label")]
                if inner.tag == "title":
                    found.append(inner.text())
    return tuple(dict.fromkeys(folded for text in found if text and (folded := fold(text)[:LONGEST_TEXT])))


def is_disabled(node: LexborNode, attributes: dict[str, str | None]) -> bool:
    """True for a link that is shown greyed: by attribute, class or ARIA, on itself or on what is closely around it."""
    if "disabled" in attributes or _says_disabled(attributes):
        return True
    parent = node.parent
    for _ in range(CLOSEST_PARENTS):
        if parent is None or parent.tag not in _WRAPPERS:
            return False
        if _says_disabled(parent.attributes):
            return True
        parent = parent.parent
    return False


def _says_disabled(attributes: dict[str, str | None]) -> bool:
    return (attributes.get("aria-disabled") or "").strip().lower() == "true" or (
        _DISABLED.search(attributes.get("class") or "") is not None
    )


def is_hidden(node: LexborNode, attributes: dict[str, str | None]) -> bool:
    """True when *node* or an element around it is not shown, as far as its attributes tell."""
    around: LexborNode | None = node
    for _ in range(FARTHEST_PARENTS):
        if around is None or around.tag == "html":
            return False
        if "hidden" in attributes or _NOT_SHOWN.search(attributes.get("style") or ""):
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
                return around.mem_id if len(around.css("img")) == 1 else node.mem_id
            around = around.parent
    return node.mem_id
