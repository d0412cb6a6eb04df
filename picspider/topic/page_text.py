"""Title and text of a page, and the words around its links: what the models score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from selectolax.lexbor import LexborHTMLParser, LexborNode

CONTEXT_CHARACTERS = 300
_NOISE = ["script", "style", "noscript", "template", "svg", "nav", "header", "footer", "aside", "form"]
_BLOCKS = frozenset({"p", "li", "td", "th", "dd", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "figure", "caption", "div"})


@dataclass(frozen=True, slots=True)
class PageText:
    """What a model sees of a page: its address, title and readable text (no markup)."""

    url: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class LinkText:
    """A link as written (`href`, not resolved), its visible text, and the text of the block it stands in."""

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
        title=_folded(title or heading),
        text=" ".join(body.text(separator=" ").split()) if body else "",
    )


def link_texts(html: str) -> Iterator[LinkText]:
    """Every `a[href]` and `area[href]` of *html* in document order, with the text around it."""
    blocks: dict[int, str] = {}
    for node in LexborHTMLParser(html).css("a[href], area[href]"):
        href = node.attributes.get("href")
        if href:
            text = _folded(node) or _label(node)
            block = _block(node)
            key = block.mem_id if block else 0
            if key not in blocks:
                blocks[key] = _folded(block)
            yield LinkText(href, text, _around(text, blocks[key]))


def main_text(html: str, url: str) -> str:
    """The readable main text of *html*, to be stored: by trafilatura where it is installed (extra `topic`)."""
    if find_spec("trafilatura") is not None:
        extracted: str | None = import_module("trafilatura").extract(html, url=url)
        if extracted:
            return extracted
    return page_text(html, url).text


def _block(node: LexborNode) -> LexborNode | None:
    """The nearest element around *node* that stands on a line of its own."""
    parent = node.parent
    while parent is not None and parent.tag not in _BLOCKS:
        parent = parent.parent
    return parent


def _around(text: str, block: str) -> str:
    """Of a long *block*, the part where *text* stands."""
    if len(block) <= CONTEXT_CHARACTERS:
        return block
    start = max(0, block.find(text) + (len(text) - CONTEXT_CHARACTERS) // 2)
    return block[start : start + CONTEXT_CHARACTERS]


def _label(node: LexborNode) -> str:
    picture = node.css_first("img[alt]")
    return node.attributes.get("title") or (picture and picture.attributes.get("alt")) or ""


def _folded(node: LexborNode | None) -> str:
    return " ".join(node.text(separator=" ").split()) if node else ""
