from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

from picspider.links.open_elements import OpenElements

_TAG = re.compile("<(/?)([a-z0-9]+)(/?)>")


def depth(html: str) -> int:
    """The greatest depth by names alone."""
    elements, deepest = OpenElements(), 0
    for tag in _TAG.finditer(html):
        if tag[1]:
            elements.close(tag[2])
        else:
            elements.open(tag[2], is_closed=bool(tag[3]))
        deepest = max(deepest, elements.depth)
    return deepest


def parsed_depth(html: str) -> int:
    """The greatest depth below <body> as a parser builds it."""
    body = LexborHTMLParser("<body>" + html).body
    assert body is not None
    found = 0
    for node in body.traverse():
        if node.tag in ("br", "img", "hr"):
            continue
        steps, at = 0, node
        while at.mem_id != body.mem_id:
            assert isinstance(at.parent, LexborNode)
            steps, at = steps + 1, at.parent
        found = max(found, steps)
    return found


@pytest.mark.parametrize(
    "html",
    [
        "<p><p><p>",
        "<p><div><p></div><p>",
        "<ul><li><li><b><li></ul>",
        "<ul><li><ul><li></ul><li>",
        "<dl><dt><dd><dt><div><dd></dl>",
        "<table><tbody><tr><td><tr><td><table><tbody><tr><td></table><td><tr></table><p>",
        "<div><span></div><span>",
        "<span><div></span><div>",
        "<li><noscript><li><noscript>",
        "<select><option><option></select><p>",
        "<svg><path/><path/></svg><div/><p>",
        "<h1></h2><h2></h3>",
        "<br><img><hr></li></div></span>",
        "<button><button><p><button><p>",
        "<div><button></div><div>",
        "<li><ul></li><li></ul><li>",
        "<noscript><ul></noscript><ul>",
        "<p><noscript><dt><p><noscript><dt>",
        "<dd><section></dt><dt>",
        "<form><span></form><span>",
        "<option><span><option>",
        "<object><p><object><p></object></object><p>",
    ],
)
def test_depth(html: str) -> None:
    """Where end tags are left out, too many, or in the wrong place, the depth is the parser's."""
    assert depth(html) == parsed_depth(html)


NAMES = ("div", "p", "ul", "li", "dl", "dd", "dt", "section", "span", "h1", "noscript", "br", "img", "button", "label")
TAGS = [f"<{slash}{name}>" for name in NAMES for slash in ("", "/")]


@given(st.lists(st.sampled_from(TAGS), max_size=30).map("".join))
def test_depth_of_any_order(html: str) -> None:
    """In any order of blocks, items and phrases, too; only a </p> without a start makes an element of its own.

    The text before them begins the body: a noscript in front of it would stand in the head.
    """
    assert abs(depth(f"x{html}") - parsed_depth(f"x{html}")) <= 1


PARTS = ("form", "option", "table", "tr", "td", "th", "object", "fieldset", "center", "address", "x", "a")


@given(st.lists(st.sampled_from([*TAGS, *(f"<{slash}{name}>" for name in PARTS for slash in ("", "/"))]), max_size=6))
def test_nothing_that_is_repeated_gets_deep_unseen(tags: list[str]) -> None:
    """Whatever is repeated, the depth is not a fraction of the parser's: implied elements and moved ones are few."""
    html = "".join(tags) * 30
    deep = parsed_depth(html)
    assert deep < 30 or depth(html) > deep / 5
