from __future__ import annotations

import json
import time
from html import escape

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


FILL = "<!-- " + "words of an ordinary page " * 2000 + "-->"
PHOTOS = [{"src": f"/photos/{n}.png", "caption": f'A walk in the park, "Sunday" > {n}'} for n in range(250)]
LONG_TAGS = {
    "JSON of a gallery": f"<div id=app data-page='{json.dumps(PHOTOS)}'></div>",
    "escaped JSON": f'<div data-page="{escape(json.dumps(PHOTOS))}"></div>',
    "path of a drawing": f'<svg><path d="M 0 0 {" ".join(f"L {n}.5 {n * 3 % 97}" for n in range(1100))}"></path></svg>',
    "srcset": f"<img srcset='{', '.join(f'/s/{n}.jpg {n + 1}w' for n in range(2000))}'>",
    "style": f"<p style='{','.join(f'url(/s/{n}.jpg)' for n in range(2000))}'></p>",
    "script": f"<script>if (a<b {' '.join(f'x{n}' for n in range(3000))}) y()</script>",
    "comment": f"<!-- <a {' '.join(f'x{n}' for n in range(3000))}> -->",
}


@pytest.mark.parametrize("name", LONG_TAGS)
def test_long_tags_stay_whole(name: str) -> None:
    """Words inside of one value, a script or a comment are no attributes, however many there are."""
    text = f"{FILL}<p hidden>{LONG_TAGS[name]}<a href=/last>last</a>"
    assert tamed(text).text is text
    assert Page("http://h/", text.encode()).links()[-1].url == "http://h/last"


def test_photos_of_a_long_value() -> None:
    """All photos of a gallery's JSON are found, by the parser as well."""
    text = f"<div hidden><a href=/menu>m</a></div>{FILL}{LONG_TAGS['JSON of a gallery']}<a href=/last>last</a>"
    urls = [link.url for link in Page("http://h/", text.encode()).links()]
    assert urls == ["http://h/menu", *(f"http://h{photo['src']}" for photo in PHOTOS), "http://h/last"]


@pytest.mark.parametrize("value", ["", "=1", "='>'", '=" a <b "'])
def test_a_hostile_tag_is_cut_between_attributes(value: str, caplog: pytest.LogCaptureFixture) -> None:
    """Of tens of thousands of attributes the first remain, what follows the tag is whole, and the user is told."""
    attributes = " ".join(f"x{n}{value}" for n in range(20_000))
    page = Page("http://h/", f"<p hidden><a href='/a b' {attributes}>x</a><a href=/last>last</a>".encode())
    assert [link.url for link in page.links()] == ["http://h/a%20b", "http://h/last"]
    assert [record.message for record in caplog.records] == [
        "1 tags with more than 1,000 attributes were cut on http://h/"
    ]


def test_honest_pages_stay_as_they_are() -> None:
    """Many blocks one after the other are no attack."""
    text = "<div><p>x<br>y</p></div>" * 5000
    assert tamed(text).text is text


ITEMS = {
    "list": ("<ul class=list>", "<li>", "</ul>"),
    "paragraphs": ("<div class=list>", "<p>", "</div>"),
    "definitions": ("<dl class=list>", "<dt>t<dd>", "</dl>"),
    "rows": ("<table class=list>", "<tr><td>", "</table>"),
    "sections of a table": ("<table class=list>", "<tbody><tr><th>x<td>", "</table>"),
    "links": ("<div class=list>", "<a name=x>", "</div>"),
    "menu": ("<select><option>x</select><menu class=list>", "<li><select><option>x<option>y</select>", "</menu>"),
    "drawings": ("<div class=list>", "<svg><path/><g><path/></g></svg><p>", "</div>"),
}


@pytest.mark.parametrize("name", ITEMS)
def test_end_tags_may_be_left_out(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """Thousands of elements without end tags are an ordinary list: `within` finds them, and only them."""
    begin, item, end = ITEMS[name]
    items = "".join(f"{item}<a href='/p/{n}.png'>picture {n}</a>\n" for n in range(2300))
    page = Page("http://h/", f"{begin}{items}{end}<div class=nav><a href=/more>more</a></div>".encode())
    assert len(page.links(within=".list")) == 2300
    assert [link.url for link in page.links(within="div.nav a")] == ["http://h/more"]
    assert not caplog.records


def test_only_what_is_too_deep_is_flattened(caplog: pytest.LogCaptureFixture) -> None:
    """Elements above and behind thousands of nested ones keep their place; all links are found, the user is told."""
    deep = "<div data-src=/deep.png>" * 10_000 + "<a href=/in>in</a>" + "</div>" * 10_000
    page = Page("http://h/", f"<ul><li><a href=/1>1</a>{deep}</ul><div class=nav><a href=/2>2</a></div>".encode())
    assert [link.url for link in page.links(within="div.nav")] == ["http://h/2"]
    assert len(page.links(within="ul")) == 10_002
    assert "elements deeper than 2,000 others" in caplog.text


@pytest.mark.parametrize("outer", ["<span>", "<x>", "<div>", "<li><noscript>", "<div><p>", "<section><li>"])
def test_depth_of_any_kind_costs_no_time(outer: str) -> None:
    """Whatever is nested, and closed or not, blocks inside are read in linear time."""
    start = time.process_time()
    for ends in ("", "</span></x></div></noscript></section>" * 15_000):
        Page("http://h/", (outer * 15_000 + "<div></div><table></table>" * 15_000 + ends).encode()).links(within="p")
    assert time.process_time() - start < 8
