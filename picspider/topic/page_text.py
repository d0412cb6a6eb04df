"""Title and text of a page, and the words around its links: what the models score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from selectolax.lexbor import LexborHTMLParser, LexborNode

from picspider.topic.surroundings import Surroundings, folded

_UNREAD = ["script", "style", "noscript", "template", "svg"]
_NOISE = [*_UNREAD, "nav", "header", "footer", "aside", "form"]


@dataclass(frozen=True, slots=True)
class PageText:
    """What a model sees of a page: its address, title and readable text (no markup)."""

    url: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class LinkText:
    """A link as written (`href`, not resolved), its visible text, and the text around it (see `Surroundings`)."""

    href: str
    text: str
    context: str


def page_text(html: str, url: str) -> PageText:
    """Title and text of *html* without scripts, navigation, headers and footers."""
    tree = LexborHTMLParser(html)
    title = tree.css_first("title")
    heading = tree.css_first("h1")
    tree.strip_tags(_NOISE)
    body = tree.body
    return PageText(
        url=url,
        title=folded(title or heading),
        text=" ".join(body.text(separator=" ").split()) if body else "",
    )


def link_texts(html: str) -> Iterator[LinkText]:
    """Every `a[href]` and `area[href]` of *html* in document order, with the text around it."""
    tree = LexborHTMLParser(html)
    tree.strip_tags(_UNREAD)
    surroundings = Surroundings()
    for node in tree.css("a[href], area[href]"):
        href = node.attributes.get("href")
        if href:
            text = folded(node) or _label(node)
            yield LinkText(href, text, surroundings.of(node, text))


def main_text(html: str, url: str) -> str:
    """The readable main text of *html*, to be stored: by trafilatura where it is installed (extra `topic`)."""
    if find_spec("trafilatura") is not None:
        extracted: str | None = import_module("trafilatura").extract(html, url=url)
        if extracted:
            return extracted
    return page_text(html, url).text


def _label(node: LexborNode) -> str:
    picture = node.css_first("img[alt]")
    return node.attributes.get("title") or (picture and picture.attributes.get("alt")) or ""
