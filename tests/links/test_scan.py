from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from picspider.links.candidate import compacted
from picspider.links.link import Link
from picspider.links.page import Page
from picspider.links.parsed import Parsed
from picspider.links.scan import Scanned, scan

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "cases"


def links(document: Parsed | Scanned) -> list[Link]:
    """Every candidate described, its URL as written."""
    groups: dict[int, int] = {}
    return [document.describe(index, candidate.raw, groups) for index, candidate in enumerate(document.candidates)]


def assert_same(text: str) -> bool:
    """The scanner gives up or says what the parser says; True when it did not give up."""
    scanned = scan(text)
    if scanned is None:
        return False
    parsed = Parsed(text)
    assert links(scanned) == links(parsed)
    assert scanned.base() == parsed.base()
    for word in ("next", "t", "»"):
        assert list(scanned.beginning_with(compacted(word))) == list(parsed.beginning_with(compacted(word)))
    return True


PLAIN = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A <b> &amp; c</title>
<base href=/sub/><link rel="stylesheet" href="/static/site.css"><script src="/x.js" defer></script>
<style>a{background:url(/bg.png)}</style><script>if (a < b) { u = "/lazy/1.jpg" }</script></head>
<body class=x><!-- <a href=/no>no</a> --><ul><li><a class="nav" href="/">Home</a>
<li><A HREF='/t?a=1&amp;b=2' title="T&quot;"><img src=i.gif width=12 alt="al &lt; t">Tag</A></ul>
<img src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==" alt="">
<table><tr><td><a href=p.html><img src=1.jpg srcset="2.jpg 2x, 3.jpg 3x"><span>N<b>e</b>xt</span> &raquo;</a></table>
<textarea><a href=/no></textarea><iframe src=/frame><a href=/no></iframe><a name=top>t</a><input type=image src=b.png>
<p>1 < 2 <a href=# rel="next nofollow">Next</a><br><a href="javascript:x()">j</a></body></html>"""


def test_a_plain_page_is_scanned() -> None:
    """The forms that most sites use need no parser."""
    assert assert_same(PLAIN)


@pytest.mark.parametrize(
    "html",
    [
        "<a href=1>a<a href=2>b</a>",
        "<a href=1><p>x</p></a>",
        "<b><a href=1>x</b>y</a>",
        "<a href=1>x",
        "<table><a href=1>x</a><tr><td>y</table>",
        "<svg><image href=x /></svg>",
        "<svg/><a href=x>y</a>",
        "<svg><p><a href=x>y</a></svg>",
        "<svg><path clip-path='url(#x)'/></svg>",
        "<template><img src=x></template>",
        "<select><option><img src=x></select>",
        "<noframes><a href=x></noframes>",
        "<a href='x'title=y>z</a>",
        "<a title='<' href=x>z</a>",
        '<a href="/i/a.jpg title="">x</a>',
        "<img src=x\0y>",
        "<li class=disabled><a href=x>y</a>",
        "<p hidden><a href=x>y</a>",
        "<!--> <a href=x>y</a> -->",
        "<script><!-- <script> </script> <img src=x> --></script>",
        "<div data-src=x.jpg><img src=y alt=z></div>",
        "<a href=x><script>y</script></a>",
        "<iframe srcdoc='<img src=x>'></iframe>",
        "<script c></script\n<script><a f=/o></script>",
        "<textarea></textarea <b><a href=x>y</a>",
        "<title></title x='<a href=/no>'><a href=x>y</a>",
        "<style></style x='>' y='<img src=/no>'>",
        "<script></script/><a href=x>y</a>",
    ],
)
def test_the_scanner_gives_up(html: str) -> None:
    """What tree construction might move, drop, copy or hide is for the parser."""
    assert scan(html) is None
    assert Page("http://h/", html.encode()).links() is not None


def test_the_handed_pages() -> None:
    """Scanner and parser agree on every page of the handed cases (where these are at hand)."""
    pages = sorted(CASES.glob("*/files/*.html"))
    if not pages:
        pytest.skip("the handed cases are not at hand")
    scanned = [assert_same(path.read_bytes().decode("utf-8", "replace")) for path in pages]
    assert sum(scanned) > len(pages) // 2


PIECES = """<a href=x>|<a href="/y?a&amp;b=1" title='T'>|</a>|<div>|</div>|<div class="q" id=r>|<p>|</p>|<ul>|<li>
</ul>|<img src=i.jpg>|<img alt="Next" src='/y' srcset="a 1w,b 2w">|<img data-src=/l.png width=3/>|<br>
<br/>|<hr class=a>|<span>|</span>|<b>|</b>|<em title=t>|</em>|text|Next|&nbsp;|&raquo;|&copy=|&#65;| < |\n
<table>|<tr>|<td>|</td>|</table>|<script>|"/z.jpg"|</script>|</scripty|<style>|url(/u.png)|</style>|<!--
-->|<!-- c -->|<!x>|<?y>|</z>|<title>|</title>|<base href=/q/>|<base target=x>
<link rel="next prev" href=n>|<meta property=og:image content="/o.png">|<iframe src=f>|</iframe>
<input type=image src=z value=t>|<h1>|</h1>|<form>|</form>|<button>|</button>|<i class=x>|</i>|<a>
<A HREF=U>|<body background=g>|<html>|<head>|</head>|<svg aria-label=next>|<path d="M0 0"/>|</svg>
<svg class=x><g><path d="M1"/></g></svg>|<select>|<option value=1>|</select>
<select name=q><option>a</option><optgroup label=x><option>b</select>|<body>|</body>|</html>|<noscript>
</noscript>|<td background=h>|<a =x href=y>|</script\n|</textarea |<textarea>|</title x='|'>|</style x=">\""""
MARKUP = st.lists(st.sampled_from([piece for line in PIECES.split("\n") for piece in line.split("|")])).map("".join)


@settings(max_examples=400)
@given(MARKUP)
def test_scanner_and_parser_agree(html: str) -> None:
    """On tags in any order the scanner gives up or agrees."""
    assert_same(html)


LONG_TAGS = {
    "srcset": lambda n: f"<img alt=x srcset='{', '.join(f'/{i}.jpg {i + 1}w' for i in range(n))}'>",
    "JSON": lambda n: f"<img alt=x data-images='{json.dumps([f'/{i}.jpg' for i in range(n)])}'>",
    "paths": lambda n: "<img alt=x data-x='" + "a.jpg " * n + "'>",
    "link": lambda n: "<a rel='" + "t " * n + "' data-images='" + "a.jpg " * n + "' href=x>" + "t" * 3 * n + "</a>",
    "text": lambda n: "<p data-images='" + "a.jpg " * n + "'>" + "t" * 3 * n + "</p>",
    "input": lambda n: "<input type=image data-images='" + "a.jpg " * n + "' value='" + "t " * n + "'>",
}


@pytest.mark.parametrize("name", LONG_TAGS)
def test_many_links_of_one_element_are_read_once(name: str) -> None:
    """Scanner and parser take time in proportion to what one long tag holds, and agree on it."""
    assert_same(f"<p>{LONG_TAGS[name](300)}")
    text = LONG_TAGS[name](20_000)
    for document in filter(None, (scan(text), Parsed(text))):
        start = time.process_time()
        assert len(links(document)) >= 20_000
        assert list(document.beginning_with("x")) is not None
        assert time.process_time() - start < 4


WELL_FORMED = st.recursive(
    st.sampled_from(["text", "Next", "<img src=i.jpg alt=A>", "&amp;", "<br>", "<img src='/a b.png' data-full=f.jpg>"]),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag.split()[0]}>",
        st.sampled_from(
            ["div class=x", "p", "a href=/x title=t", "span", "b", "ul", "li", "a href='?n=1'", "h2", "td"]
        ),
        st.lists(inner, max_size=4),
    ),
    max_leaves=25,
)


@settings(max_examples=400)
@given(WELL_FORMED)
def test_they_agree_on_nested_markup(html: str) -> None:
    """On well nested elements, too."""
    assert_same(html)


@given(st.text(st.sampled_from("<>/=\"' aA&;!-#x1"), max_size=40))
def test_they_agree_on_any_characters(text: str) -> None:
    """And on what is hardly markup."""
    assert_same(text)
    assert_same(f"<a {text}>Next</a><img src=x {text}>{text}")
