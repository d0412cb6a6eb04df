"""URLs of what is no HTML but served where a page is expected: style sheets, JSON, feeds and site maps."""

from __future__ import annotations

import json
import re
from html import unescape

from picspider.links.candidate import Candidate
from picspider.links.css import css_urls
from picspider.links.entities import unescape_attribute
from picspider.links.link import Link, Reference
from picspider.links.looks import is_named_url, looks_like_url
from picspider.links.script import json_strings, json_urls, script_urls
from picspider.links.tree import Tree

_PIECE = re.compile(
    r"""<!\[CDATA\[(?P<data>.*?)(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|(?<=>)(?P<text>[^<]+)
    |(?<=\s)(?P<name>[\w:.\-]+)\s*=\s*(?:"(?P<double>[^"<]*)"|'(?P<single>[^'<]*)')""",
    re.VERBOSE | re.DOTALL,
)
_MARKUP = re.compile(r"<[a-zA-Z][^<>]*\s(?:href|src)", re.IGNORECASE)


def references_of(text: str, content_type: str | None) -> list[Reference] | None:
    """The references of a document that is no HTML, by its declared type and its first characters; None for HTML."""
    declared = (content_type or "").split(";", 1)[0].strip().lower()
    start = text[:200].lstrip("\ufeff \t\r\n")
    if declared == "text/css":
        return css_urls(text)
    if declared.endswith(("javascript", "ecmascript")):
        return script_urls(text)
    if declared.endswith("json") or start.startswith(("{", "[")):
        return _json(text)
    is_xml = declared.endswith("xml") and "html" not in declared and "svg" not in declared
    if is_xml or (start.startswith("<?xml") and "html" not in text[:1000].lower() and "<svg" not in text[:1000]):
        return _xml(text)
    return None


def _json(text: str) -> list[Reference]:
    """The URLs among the strings, and those of markup in strings: what a page loads to go on with its list."""
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return json_urls(text, "script")
    found = []
    for name, string in json_strings(value):
        if looks_like_url(string) or is_named_url(name, string):
            found.append(Reference(string, "script"))
        elif _MARKUP.search(string):
            found += _html(string)
    return found


def _xml(text: str) -> list[Reference]:
    """The texts and attributes that are URLs, and those of markup in texts (RSS, Atom, site maps)."""
    found: list[Reference] = []
    for piece in _PIECE.finditer(text):
        value = piece["double"] or piece["single"]
        if value is not None:
            value = unescape_attribute(value)
            name = piece["name"]
            if not name.startswith("xmlns") and (name in ("href", "src", "url") or looks_like_url(value)):
                found.append(Reference(value, "href" if name == "href" else "src"))
            continue
        content = piece["data"] or unescape(piece["text"] or "")
        if looks_like_url(content.strip()):
            found.append(Reference(content.strip(), "text"))
        elif _MARKUP.search(content):
            found += _html(content)
    return found


def _html(text: str) -> list[Reference]:
    return Tree(text).references()


class Loose:
    """A `Document` of references that stand on no element."""

    def __init__(self, references: list[Reference]) -> None:
        self.candidates = [Candidate(*reference, "script", {}) for reference in references]

    def base(self) -> None:
        """None: only HTML has one."""

    def describe(self, index: int, url: str, groups: dict[int, int]) -> Link:
        """The bare link."""
        return Link(url, origin=self.candidates[index].origin)

    def related(self) -> list[int]:
        """Nothing: there is no element with attributes."""
        return []

    def beginning_with(self, compact: str) -> list[int]:
        """Nothing: there is no text to read."""
        return []
