"""One tag of a page's source, for the scanner: what a piece of source between two `<` means, kept for the next page."""

from __future__ import annotations

import re
from typing import NamedTuple

from picspider.links.attributes import Plan, plan_of, read_attribute
from picspider.links.candidate import Candidate
from picspider.links.entities import unescape_attribute
from picspider.links.labels import Attributes, hides, labels_of, says_disabled
from picspider.links.tag_shapes import shape_of

# What a scanner has to do at a tag.
INERT, PLAIN, ANCHOR, ANCHOR_END, RAW, REGION, COMMENT, GAP, CELL, UNSURE = range(10)

# Elements that stand where they are written, and have no content that labels them.
_SURE = frozenset(
    ("a", "area", "embed", "iframe", "img", "input", "link", "meta", "script", "source", "style", "track")
)
# Elements whose content the standard reads in another way, or that move what is inside.
_UNSURE_TAGS = """
    frame frameset image listing math noembed noframes plaintext template xmp nobr
"""
_NEVER_SURE = frozenset(_UNSURE_TAGS.split())
# Elements with rules of their own, which these do not touch.
_DRAWN = "g path circle ellipse rect line polyline polygon defs lineargradient radialgradient stop"
REGIONS = {"svg": frozenset(_DRAWN.split()), "select": frozenset(("option", "optgroup"))}
# Hiding these hides no link.
_UNSHOWN = frozenset(("img", "script", "style", "source", "meta", "iframe"))
RAW_TAGS = frozenset(("script", "style", "textarea", "title", "iframe"))
_GAP_TAGS = "table tbody thead tfoot tr colgroup /td /th /tr /tbody /thead /tfoot /caption /colgroup"
_GAPS = frozenset(_GAP_TAGS.split())
_CELLS = frozenset(("td", "th", "caption", "/table"))

_SPACE = r"[ \t\n\f]"
_ATTRIBUTE = (
    rf"{_SPACE}+([^ \t\n\f\"'<>/=]+)"
    rf"(?:{_SPACE}*={_SPACE}*(?:\"([^\"]*)\"|'([^']*)'|([^ \t\n\f\"'<>=`][^ \t\n\f\"'<>`]*)))?"
)
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_UNCAPTURED = re.sub(r"\((?!\?)", "(?:", _ATTRIBUTE)
_START = re.compile(rf"([a-zA-Z][a-zA-Z0-9:\-]*)((?:{_UNCAPTURED})*){_SPACE}*/?>")
_END = re.compile(rf"/([a-zA-Z][a-zA-Z0-9:\-]*){_SPACE}*>")

KEPT: dict[str, Tag] = {}
MOST_KEPT = 8_000
LONGEST_KEPT = 1_000


class Tag(NamedTuple):
    """`kind`: what to do; `name`: in small letters, end tags with a slash before; `rest`: the text behind the tag.

    `labels`: see `labels_of`.
    """

    kind: int
    name: str = ""
    attributes: Attributes = {}  # noqa: RUF012 (never written to)
    candidates: tuple[Candidate, ...] = ()
    rest: str = ""
    labels: tuple[str, ...] = ()


def tag_of(piece: str) -> Tag:
    """The tag that *piece*, the source from behind a `<` up to the next, begins with."""
    tag = KEPT.get(piece)
    if tag is None:
        tag = _read(piece)
        if len(piece) <= LONGEST_KEPT:
            if len(KEPT) >= MOST_KEPT:
                KEPT.clear()
            KEPT[piece] = tag
    return tag


def _read(piece: str) -> Tag:
    first = piece[:1]
    if first == "/":
        end = _END.match(piece)
        if end is None:
            return Tag(UNSURE)
        name = "/" + end[1].lower()
        return Tag(ANCHOR_END if name == "/a" else _place(name), name, rest=piece[end.end() :])
    if first in ("!", "?"):
        return _declaration(piece)
    if not (first.isascii() and first.isalpha()):
        return Tag(INERT, "<")
    parts = piece.split('"')
    last, closed, rest = parts[-1].partition(">")
    if closed and len(parts) % 2:  # as many quotes that open as quotes that close
        parts[-1] = last
        shape = shape_of(tuple(parts[::2]))
        if shape is not None:
            name, names, plan = shape
            values = [unescape_attribute(value) or None for value in parts[1::2]]
            return _start(name, dict(zip(names, values, strict=True)), plan, rest)
    start = _START.match(piece)
    return Tag(UNSURE) if start is None else _written(start[1].lower(), start[2], piece[start.end() :])


def _written(name: str, written: str, rest: str) -> Tag:
    attributes: dict[str, str | None] = {}
    for attribute, double, single, bare in _ATTRIBUTES.findall(written) if written else ():
        if not attribute.isascii():
            return Tag(UNSURE)
        attributes.setdefault(attribute.lower(), unescape_attribute(double or single or bare) or None)
    return _start(name, attributes, plan_of(name, *attributes) if attributes else (), rest)


def _start(name: str, attributes: dict[str, str | None], plan: Plan, rest: str) -> Tag:
    candidates = _candidates(name, attributes, plan) if plan else ()
    if name in _NEVER_SURE or (attributes and not _is_sure(name, attributes, is_link=bool(candidates))):
        return Tag(UNSURE)
    kind = _KINDS.get(name) or (PLAIN if candidates else _place(name))
    return Tag(kind, name, attributes, candidates, rest, tuple(labels_of(attributes)))


_KINDS = {"a": ANCHOR, "base": PLAIN} | dict.fromkeys(RAW_TAGS, RAW) | dict.fromkeys(REGIONS, REGION)


def _is_sure(name: str, attributes: Attributes, *, is_link: bool) -> bool:
    """False for links where they may be moved or have content, and for what greys out or hides what is inside."""
    if (is_link and name not in _SURE) or "srcdoc" in attributes or says_disabled(attributes):
        return False
    if "disabled" in attributes and is_link:
        return False
    return not hides(attributes) or name in _UNSHOWN or (name == "input" and not is_link)


def _candidates(name: str, attributes: dict[str, str | None], plan: Plan) -> tuple[Candidate, ...]:
    found: list[Candidate] = []
    for attribute, origin in plan:
        value = attributes[attribute]
        if value and origin:
            found.append(Candidate(value, origin, 0, name, attributes))
        elif value:
            found += [Candidate(*of, name, attributes) for of in read_attribute(attribute, value, attributes)]
    return tuple(found)


def _place(name: str) -> int:
    """Between the cells of a table other rules hold: what stands there is moved before the table."""
    return GAP if name in _GAPS else CELL if name in _CELLS else INERT


def _declaration(piece: str) -> Tag:
    """A comment, or what is read as one."""
    if not piece.startswith("!--"):
        return Tag(INERT, "!") if ">" in piece else Tag(UNSURE)
    if piece.startswith((">", "->"), 3) or "--!>" in piece:
        return Tag(UNSURE)
    return Tag(INERT, "!") if "-->" in piece[3:] else Tag(COMMENT)
