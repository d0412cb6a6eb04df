from __future__ import annotations

import time

import pytest

from picspider.links.hostile import tamed
from picspider.links.page import Page

PAGES = {
    "deep blocks": "<div>" * 60_000,
    "deep lists": "<ul><li>" * 40_000,
    "many attributes": "<a " + " ".join(f"x{n}=1" for n in range(40_000)) + ">",
    "deep lazy blocks": "<div data-src=x.jpg>" * 10_000,
    "unclosed links": "<a href=x>" * 20_000,
    "unclosed bold links": "<a href=x><b>" * 20_000,
    "unclosed strings": "<script>" + '="/a' * 60_000,
    "unclosed regexes": "<script>" + "=/[a" * 60_000,
    "odd srcset": '<img srcset="' + "a,(," * 60_000 + '">',
    "odd style": '<p style="' + "url( " * 60_000 + '">',
    "many dots": '<img data-x="' + "a." * 60_000 + '">',
    "many commas": "<img data-x='" + "a.jpg," * 20_000 + "'>",
    "comments": "<!--" * 60_000,
    "deep json": "<script type=application/json>" + "[" * 60_000,
    "long ups": '<a href="' + "../" * 60_000 + '">',
    "ampersands": '<a href="' + "&amp" * 60_000 + '">',
    "blank refresh": '<meta http-equiv=refresh content="' + " " * 60_000 + '">',
}


@pytest.mark.parametrize("name", PAGES)
def test_no_page_takes_long(name: str) -> None:
    """What would take a parser or a regex quadratic time is over in seconds."""
    start = time.process_time()
    page = Page("http://h/", PAGES[name].encode())
    page.links()
    assert page.forms == []
    assert time.process_time() - start < 8


def test_honest_pages_stay_as_they_are() -> None:
    """Many blocks one after the other are no attack."""
    text = "<div><p>x<br>y</p></div>" * 5000
    assert tamed(text) is text or tamed(text) == text
