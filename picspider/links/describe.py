"""From a candidate of the tree to the `Link` that rules and reports see."""

from __future__ import annotations

from picspider.links.labels import fold, is_disabled, is_hidden, own_labels, picture_of, visible_text
from picspider.links.link import Link
from picspider.links.tree import Candidate

# Found in the content of these, not on an element that a person sees.
_UNSEEN = frozenset(("script", "style", "template", "meta", "iframe"))
_ANCHORS = frozenset(("a", "area", "link", "button", "input"))
_READ = frozenset(("a", "button", "summary", "label", "li", "span", "td", "div"))


def describe(candidate: Candidate, url: str, groups: dict[int, int]) -> Link:
    """The link at *url*; *groups* numbers the pictures met so far (`Link.group`)."""
    reference, tag, attributes, node = candidate
    origin = reference.origin
    if tag in _UNSEEN:
        return Link(url, origin=origin)
    labels = own_labels(node, attributes)
    text = visible_text(node) if tag in _READ else fold(attributes.get("value") or "") if tag == "input" else ""
    group = 0 if origin in ("lazy-list", "script", "style") else picture_of(node, tag)
    is_anchor = tag in _ANCHORS
    return Link(
        url,
        text or (labels[0] if labels else ""),
        origin,
        labels,
        rel_words(attributes),
        reference.width,
        groups.setdefault(group, len(groups) + 1) if group else 0,
        is_anchor and (leads_nowhere(reference.raw) or is_disabled(node, attributes)),
        is_anchor and is_hidden(node, attributes),
    )


def rel_words(attributes: dict[str, str | None]) -> tuple[str, ...]:
    """The words of the rel attribute in small letters."""
    rel = attributes.get("rel")
    return tuple(rel.lower().split()) if rel else ()


def leads_nowhere(raw: str) -> bool:
    """True for an empty href and one that only names a place on the same page."""
    raw = raw.strip()
    return not raw or raw.startswith("#")


def may_begin_with(candidate: Candidate, compact: str) -> bool:
    """False when neither text, labels nor rel can begin with the text whose `compacted` form is *compact*; fast."""
    _, tag, attributes, node = candidate
    if tag in _UNSEEN:
        return False
    if tag in _READ and compacted(node.text()).startswith(compact):
        return True
    for name in ("rel", "title", "aria-label", "alt", "value"):
        value = attributes.get(name)
        if value and (name == "rel" or compacted(value).startswith(compact)):
            return True
    return tag in _READ and node.css_first("img, svg, [aria-label], script, style") is not None


def compacted(text: str) -> str:
    """*text* without white space and differences of case."""
    return "".join(text.split()).casefold()
