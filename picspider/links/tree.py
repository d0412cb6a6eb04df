"""The references of a page by a real HTML parser (lexbor, HTML standard): right for any input."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode, SelectolaxError

from picspider.links.attributes import FRAMES, Plan, plan_of, read_attribute
from picspider.links.candidate import Candidate
from picspider.links.css import css_urls
from picspider.links.hostile import tamed
from picspider.links.labels import Attributes, fold
from picspider.links.link import Reference
from picspider.links.script import json_urls, script_urls

DEEPEST_NESTED = 3
_BASE = re.compile("<base", re.IGNORECASE)
_WITH_CONTENT = frozenset(("script", "style", "template", "iframe"))


class Tree:
    """A parsed page; `tamed` tells what was taken away before."""

    def __init__(self, text: str, depth: int = 0) -> None:
        self.tamed = tamed(text)
        self._parser = LexborHTMLParser(self.tamed.text, options=LexborDocumentOptions.WO_EVENTS)
        self._depth = depth
        self._may_have_base = _BASE.search(text) is not None

    def base(self) -> str | None:
        """The href of the first `<base>` that has one."""
        node = self._parser.css_first("base[href]:not(svg *)") if self._may_have_base else None
        return None if node is None else node.attributes.get("href") or ""

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

    def references(self) -> list[Reference]:
        """Every reference in document order."""
        candidates: list[Candidate] = []
        self.collect(candidates, [])
        return [Reference(*candidate[:3]) for candidate in candidates]

    def collect(self, candidates: list[Candidate], nodes: list[LexborNode]) -> None:
        """Appends every reference in document order to *candidates*, and its element to *nodes*."""
        if self._parser.root is None:
            return
        plans: dict[tuple[str, ...], Plan] = {}
        for node in self._parser.root.traverse():
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
                        candidates.append(Candidate(value, origin, 0, tag, attributes))
                        nodes.append(node)
                    else:
                        found = read_attribute(name, value, attributes)
                        candidates += [Candidate(*reference, tag, attributes) for reference in found]
                        nodes += [node] * len(found)
            if tag in _WITH_CONTENT:
                found = self._content(node, tag, attributes)
                candidates += [Candidate(*reference, tag, attributes) for reference in found]
                nodes += [node] * len(found)

    def _content(self, node: LexborNode, tag: str, attributes: Attributes) -> list[Reference]:
        if tag == "script":
            return script_content(attributes.get("type") or "", node.text())
        if tag == "style":
            return css_urls(node.text())
        # lexbor keeps a template's content apart: it comes out only as text, so it is read again as another element.
        nested = attributes.get("srcdoc") if tag in FRAMES else (node.html or "").replace("<template", "<div", 1)
        if not nested or self._depth >= DEEPEST_NESTED:
            return []
        return Tree(nested, self._depth + 1).references()


def script_content(kind: str, text: str) -> list[Reference]:
    """The URLs in the *text* of a `<script type=kind>`."""
    kind = kind.strip().lower()
    if kind.endswith("json"):
        return json_urls(text, "json-ld" if "ld+json" in kind else "script")
    return [] if kind.startswith("text/") and "script" not in kind else script_urls(text)
