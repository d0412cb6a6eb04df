"""From a candidate of the tree to the `Link` that rules and reports see."""

from __future__ import annotations

from picspider.links.attributes import Attributes
from picspider.links.labels import LABELS, fold, is_disabled, is_hidden, picture_of, read
from picspider.links.link import Link
from picspider.links.tree import Candidate, Tree

# Found in the content of these, not on an element that a person sees.
_UNSEEN = frozenset(("script", "style", "template", "meta", "iframe"))
_ANCHORS = frozenset(("a", "area", "link", "button", "input"))
_READ = frozenset(("a", "button", "summary", "label"))
_ALONE = frozenset(("lazy-list", "script", "style"))
FARTHEST_ANCHOR = 6


def describe(tree: Tree, candidate: Candidate, url: str, groups: dict[int, int]) -> Link:
    """The link at *url*; *groups* numbers the pictures met so far (`Link.group`)."""
    raw, origin, width, tag, attributes, node = candidate
    if tag in _UNSEEN:
        return Link(url, origin=origin)
    text, labels, _ = read(node, attributes)
    if tag not in _READ and origin != "script":
        text = fold(attributes.get("value") or "") if tag == "input" else ""
    group = 0 if origin in _ALONE else picture_of(node, tag)
    is_anchor = tag in _ANCHORS
    return Link(
        url,
        text or (labels[0] if labels else ""),
        origin,
        labels,
        rel_words(attributes),
        width,
        groups.setdefault(group, len(groups) + 1) if group else 0,
        is_anchor and (leads_nowhere(raw) or (tree.may_disable and is_disabled(node, attributes))),
        is_anchor and tree.may_hide and is_hidden(node, attributes),
    )


def rel_words(attributes: Attributes) -> tuple[str, ...]:
    """The words of the rel attribute in small letters."""
    rel = attributes.get("rel")
    return tuple(rel.lower().split()) if rel else ()


def leads_nowhere(raw: str) -> bool:
    """True for an empty href and one that only names a place on the same page."""
    raw = raw.strip()
    return not raw or raw.startswith("#")


def begins_with(tree: Tree, candidate: Candidate, compact: str, labelled: set[int]) -> bool:
    """True when the text, a label or a rel word of the element begins with *compact*, a text `compacted`.

    *labelled*: the elements that `labelled_elements` found for it.
    """
    origin, tag, attributes, node = candidate.origin, *candidate[3:]
    if tag in _UNSEEN:
        return False
    if node.mem_id in labelled:
        return True
    if tag in _READ or origin == "script":
        text = read(node, {}).text if tree.is_large else node.text()
        if compacted(text).startswith(compact):
            return True
    rel = attributes.get("rel")
    value = attributes.get("value") if tag == "input" else None
    return bool((rel and compact in compacted(rel)) or (value and compacted(value).startswith(compact)))


def labelled_elements(tree: Tree, compact: str) -> set[int]:
    """The elements whose own labels begin with *compact*, and the links and buttons around them."""
    found: set[int] = set()
    for node in tree.select("[title],[aria-label],[alt]"):
        attributes = node.attributes
        if any(compacted(attributes.get(name) or "").startswith(compact) for name in LABELS):
            found.add(node.mem_id)
            around = node.parent
            for _ in range(FARTHEST_ANCHOR):
                if around is None:
                    break
                if around.tag in _ANCHORS:
                    found.add(around.mem_id)
                    break
                around = around.parent
    return found


def compacted(text: str) -> str:
    """*text* without white space and differences of case."""
    return "".join(text.split()).casefold()
