"""The references of a page by a real HTML parser (lexbor, HTML standard): right for any input."""

from __future__ import annotations

from typing import NamedTuple

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode, SelectolaxError

from picspider.links.attributes import FRAMES, Attributes, Plan, plan_of, read_attribute
from picspider.links.css import css_urls
from picspider.links.hostile import tamed
from picspider.links.labels import fold
from picspider.links.link import Reference
from picspider.links.script import json_urls, script_urls

DEEPEST_NESTED = 3
LARGE_CHARACTERS = 200_000
_WITH_CONTENT = frozenset(("script", "style", "template", "iframe"))


class Candidate(NamedTuple):
    """A reference (see `Reference`) and the element that it was found on."""

    raw: str
    origin: str
    width: int
    tag: str
    attributes: Attributes
    node: LexborNode


class Tree:
    """A parsed page."""

    def __init__(self, text: str, depth: int = 0) -> None:
        self._parser = LexborHTMLParser(tamed(text), options=LexborDocumentOptions.WO_EVENTS)
        self._depth = depth
        # What need not be looked for on each element of most pages.
        self.is_large = len(text) > LARGE_CHARACTERS
        self.has_base = "<base" in text or "<BASE" in text or "<Base" in text
        self.may_disable = "disabled" in text
        self.may_hide = "hidden" in text or "none" in text

    def base(self) -> str | None:
        """The href of the first `<base>` that has one."""
        node = self._parser.css_first("base[href]") if self.has_base else None
        return None if node is None else node.attributes.get("href")

    def title(self) -> str:
        """The text of `<title>`, white space folded."""
        node = self._parser.css_first("title")
        return "" if node is None else fold(node.text())

    def select(self, css: str) -> list[LexborNode]:
        """The elements that *css* matches; raises ValueError when it is no selector."""
        try:
            return self._parser.css(css)
        except SelectolaxError as error:
            raise ValueError(f"not a CSS selector: {css!r}") from error

    def candidates(self, within: str | None = None) -> list[Candidate]:
        """Every reference in document order; *within*: only those of elements inside of what this CSS matches."""
        found: list[Candidate] = []
        if within is None:
            if self._parser.root is not None:
                self._collect(self._parser.root, found)
            return found
        seen: set[int] = set()
        for top in self.select(within):
            if top.mem_id not in seen:
                seen.update(node.mem_id for node in top.traverse())
                self._collect(top, found)
        return found

    def foreign(self, references: list[Reference]) -> list[Candidate]:
        """*references* that stand on no element, as candidates."""
        root = self._parser.root
        return [] if root is None else [Candidate(*reference, "script", {}, root) for reference in references]

    def _collect(self, top: LexborNode, found: list[Candidate]) -> None:
        plans: dict[tuple[str, ...], Plan] = {}
        for node in top.traverse():
            attributes = node.attributes
            tag = node.tag or ""
            if attributes:
                shape = (tag, *attributes)
                plan = plans.get(shape)
                if plan is None:
                    plan = plans[shape] = plan_of(*shape)
                for name, origin in plan:
                    value = attributes[name]
                    if not value:
                        continue
                    if origin:
                        found.append(Candidate(value, origin, 0, tag, attributes, node))
                    else:
                        for raw, of, width in read_attribute(name, value, attributes):
                            found.append(Candidate(raw, of, width, tag, attributes, node))
            if tag in _WITH_CONTENT:
                for raw, of, width in self._content(node, tag, attributes):
                    found.append(Candidate(raw, of, width, tag, attributes, node))

    def _content(self, node: LexborNode, tag: str, attributes: Attributes) -> list[Reference]:
        if tag == "script":
            return script_content(attributes.get("type") or "", node.text())
        if tag == "style":
            return css_urls(node.text())
        # lexbor keeps a template's content apart: it comes out only as text, so it is read again as another element.
        nested = attributes.get("srcdoc") if tag in FRAMES else (node.html or "").replace("<template", "<div", 1)
        if not nested or self._depth >= DEEPEST_NESTED:
            return []
        return [Reference(*candidate[:3]) for candidate in Tree(nested, self._depth + 1).candidates()]


def script_content(kind: str, text: str) -> list[Reference]:
    """The URLs in the *text* of a `<script type=kind>`."""
    kind = kind.strip().lower()
    if kind.endswith("json"):
        return json_urls(text, "json-ld" if "ld+json" in kind else "script")
    return [] if kind.startswith("text/") and "script" not in kind else script_urls(text)
