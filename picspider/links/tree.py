"""The references of a page by a real HTML parser (lexbor, HTML standard): right for any input."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode, SelectolaxError

from picspider.links.attributes import FRAMES, references
from picspider.links.css import css_urls
from picspider.links.labels import fold
from picspider.links.link import Reference
from picspider.links.script import json_urls, script_urls

DEEPEST_NESTED = 3


class Candidate(NamedTuple):
    """A reference and the element that it was found on."""

    reference: Reference
    tag: str
    attributes: dict[str, str | None]
    node: LexborNode


class Tree:
    """A parsed page."""

    def __init__(self, text: str | bytes, depth: int = 0) -> None:
        self._parser = LexborHTMLParser(text, options=LexborDocumentOptions.WO_EVENTS)
        self._depth = depth

    def base(self) -> str | None:
        """The href of the first `<base>` that has one."""
        node = self._parser.css_first("base[href]")
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

    def candidates(self, within: str | None = None) -> Iterator[Candidate]:
        """Every reference in document order; *within*: only those of elements inside of what this CSS matches."""
        root = self._parser.root
        if root is None:
            return
        seen: set[int] = set()
        for top in [root] if within is None else self.select(within):
            if top.mem_id in seen:
                continue
            for node in top.traverse():
                if within is not None:
                    seen.add(node.mem_id)
                attributes = node.attributes
                tag = node.tag or ""
                if attributes:
                    for reference in references(tag, attributes):
                        yield Candidate(reference, tag, attributes, node)
                if tag in _WITH_CONTENT:
                    for reference in self._content(node, tag, attributes):
                        yield Candidate(reference, tag, attributes, node)

    def _content(self, node: LexborNode, tag: str, attributes: dict[str, str | None]) -> list[Reference]:
        if tag == "script":
            return script_content(attributes.get("type") or "", node.text())
        if tag == "style":
            return css_urls(node.text())
        nested = attributes.get("srcdoc") if tag in FRAMES else node.inner_html
        if not nested or self._depth >= DEEPEST_NESTED:
            return []
        return [candidate.reference for candidate in Tree(nested, self._depth + 1).candidates()]


_WITH_CONTENT = frozenset(("script", "style", "template", "iframe"))


def script_content(kind: str, text: str) -> list[Reference]:
    """The URLs in the *text* of a `<script type=kind>`."""
    kind = kind.strip().lower()
    if kind.endswith("json"):
        return json_urls(text, "json-ld" if "ld+json" in kind else "script")
    return [] if kind.startswith("text/") and "script" not in kind else script_urls(text)
