from __future__ import annotations

import re

import pytest

from picspider.links.entities import unescape_attribute
from picspider.links.page import Page
from picspider.links.source import is_attribute_pattern

SOURCE = rb"""<a href="/album/1?a=1&amp;b=2">x</a> <A HREF='/album/2'>y</a> <a href=/album/3>z</a>
<script>{"u":"http:\/\/h.example\/full\/4.jpg","v":"\u002Ffull\u002F5.jpg"}</script><!-- /full/6.jpg -->"""


@pytest.mark.parametrize(
    ("pattern", "urls"),
    [
        (r'href="/album/\d+[^"]*"', ["/album/1?a=1&b=2"]),
        (r"href=/album/\d+", ["/album/1", "/album/2", "/album/3"]),
        (r"(?i)HREF=(/album/2)", ["/album/2"]),
        (r'"u":"(?P<url>[^"]+)"', ["/full/4.jpg"]),
        (r'"v":"([^"]+)"', ["/full/5.jpg"]),
        (r"/full/6\.jpg", ["/full/6.jpg"]),
        (r"\bnothing(x)?\b", []),
    ],
)
def test_raw_source(pattern: str, urls: list[str]) -> None:
    """Group url, else group 1, else the match; after href= and src= the value; entities and escapes undone."""
    page = Page("http://h.example/d/", SOURCE)
    assert [link.url for link in page.source_urls(pattern)] == ["http://h.example" + url for url in urls]
    compiled = page.source_urls(re.compile(pattern))
    assert [link.url for link in compiled] == ["http://h.example" + url for url in urls]


def test_patterns_of_the_thesis() -> None:
    """Only patterns that start with href= or src= are about attributes."""
    assert is_attribute_pattern('href="/x"')
    assert is_attribute_pattern("(?i)src=x")
    assert not is_attribute_pattern("/href=")


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("a&amp;b", "a&b"), ("&copy=1", "&copy=1"), ("&copy;=1", "©=1"), ("&copyx", "&copyx"), ("&copy", "©"),
        ("&#x2F;&#47;", "//"), ("&#0;", "\ufffd"), ("&nosuch;", "&nosuch;"), ("&", "&"), ("&#128;", "€"),
    ],
)  # fmt: skip
def test_character_references(written: str, value: str) -> None:
    """References are decoded as in attributes, where a query may look like one."""
    assert unescape_attribute(written) == value
