from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from picspider.links.page import Page

URL = "http://h.example/d/index.html"


def page(html: str, url: str = URL) -> Page:
    """A page of *html* as a server would send it."""
    return Page(url, html.encode(), "utf-8", "text/html")


def found(html: str, origin: str | None = None) -> list[str]:
    """The URLs found, without the host of the page."""
    return [link.url.removeprefix("http://h.example") for link in page(html).links() if origin in (None, link.origin)]


@pytest.mark.parametrize(
    ("html", "urls"),
    [
        ("<a href=x.html>x</a><area href='/y'><link rel=next href=z>", ["/d/x.html", "/y", "/d/z"]),
        (
            '<img src="a b.jpg"><input type=image src=i.png><embed src=e><track src=t>',
            ["/d/a%20b.jpg", "/d/i.png", "/d/e", "/d/t"],
        ),
        ("<video poster=/p.jpg src=v.mp4><source src=w.webm></video>", ["/p.jpg", "/d/v.mp4", "/d/w.webm"]),
        ("<body background=/bg.gif><object data=/o.svg></object>", ["/bg.gif", "/o.svg"]),
        ("<table background=/t.gif><tr><td background=/u.gif>x</table>", ["/t.gif", "/u.gif"]),
        ("<svg><image xlink:href=/i.png /><a href=/l>t</a></svg>", ["/i.png", "/l"]),
        ("<frameset><frame src=/menu.html></frameset>", ["/menu.html"]),
        ("<noscript><img src=/n.jpg></noscript>", ["/n.jpg"]),
        ("<template><img src=/t.jpg></template>", ["/t.jpg"]),
        ("<iframe src=/f></iframe>", ["/f"]),
        ('<iframe srcdoc="<img src=&quot;/s.jpg&quot;>"></iframe>', ["/s.jpg"]),
        ("<!-- <a href=/no>x</a> --><!-- > <img src=/no2> --><a href=/yes>y</a>", ["/yes"]),
        ("<a href='&#x2f;old&#x2f;1&#46;html?a=1&amp;b=2&copy=3'>x</a>", ["/old/1.html?a=1&b=2&copy=3"]),
        ("<a href=/1 href=/2>x</a>", ["/1"]),
        ("<IMG SRC=/A.JPG>", ["/A.JPG"]),
        ("<a href=/1><a href=/2>x", ["/1", "/2"]),
        ("<textarea><a href=/no></textarea><title><a href=/no></title><a href=/yes>", ["/yes"]),
        ("<a href=/unclosed", []),
        ("<a href=''>x</a><img src=''><a href=' #top'>x</a>", []),
    ],
)
def test_places_of_urls(html: str, urls: list[str]) -> None:
    """Every element that loads something gives its URL; comments, texts and broken tags give none."""
    assert found(html) == urls


@pytest.mark.parametrize(
    ("html", "urls"),
    [
        ("<img src=/s.jpg data-src=/f.jpg>", ["/f.jpg"]),
        (
            "<img data-original='full/2.jpg' data-lazy-src=//h.example/3.jpg data-any='http://h.example/4'>",
            ["/d/full/2.jpg", "/3.jpg", "/4"],
        ),
        ("<div data-background='pics/my photo.jpg' data-id=12 data-ratio=1.5 data-name='a/b c'>", []),
        ("<div data-bg='/pics/my photo.jpg'>", ["/pics/my%20photo.jpg"]),
        ("<div data-full=photo/12 data-count=3 data-json='{}'>", ["/d/photo/12"]),
        ("<a class=/x.jpg title=/y.jpg id=/z.jpg itemtype=http://schema.org/X>t</a>", []),
        ("<form action=/search><button formaction=/go>", []),
    ],
)
def test_lazy_attributes_whatever_their_name(html: str, urls: list[str]) -> None:
    """An unknown attribute counts when its value looks like a URL."""
    assert found(html, "lazy") == urls


def test_attributes_that_hold_several_urls() -> None:
    """JSON, lists, CSS and srcset in attributes of any name are taken apart."""
    assert found("""<div data-images='["/1.jpg","\\/2.jpg"]'>""", "lazy-list") == ["/1.jpg", "/2.jpg"]
    assert found("<div data-all='/1.jpg, /2.jpg|/3.jpg'>", "lazy-list") == ["/1.jpg", "/2.jpg", "/3.jpg"]
    assert found("<div data-bg='url(/1.jpg)'>", "style") == ["/1.jpg"]
    assert found("<img data-anyset='/1.jpg 100w, /2.jpg 200w'>", "srcset") == ["/1.jpg", "/2.jpg"]
    assert found("<b onclick=\"window.open('/big/1.jpg')\">x</b>", "script") == ["/big/1.jpg"]


def test_srcset_with_commas_and_descriptors() -> None:
    """Commas inside URLs stay, widths are read, and all sizes of one picture form a group."""
    links = page(
        '<img src=/s.jpg srcset="/w_1,h_2/a.jpg 400w, /b.jpg 1600w,/c.jpg 2x ,\n/d.jpg"><img src=/other.jpg>'
    ).links()
    assert [(link.url[16:], link.width) for link in links] == [
        ("/s.jpg", 0), ("/w_1,h_2/a.jpg", 400), ("/b.jpg", 1600), ("/c.jpg", 2000), ("/d.jpg", 0), ("/other.jpg", 0),
    ]  # fmt: skip
    assert len({link.group for link in links[:5]}) == 1
    assert links[5].group not in (0, links[0].group)


def test_sources_of_a_picture_element_are_pictures_of_their_own() -> None:
    """<source> elements name other formats or cuts, nothing tells that one is the larger."""
    links = page("<picture><source srcset=/1.webp><source srcset=/1-big.jpg><img src=/1.jpg></picture>").links()
    assert [link.url[16:] for link in links] == ["/1.webp", "/1-big.jpg", "/1.jpg"]
    assert len({link.group for link in links}) == 3


def test_a_link_around_a_thumbnail_shares_its_group() -> None:
    """The link and the only picture in it are one picture; a link around several is not."""
    one, thumb = page("<a href=/full.jpg><span><img src=/th.jpg></span></a>").links()
    assert one.group == thumb.group != 0
    several = page("<a href=/x><img src=/1.jpg><img src=/2.jpg></a>").links()
    assert len({link.group for link in several}) == 3


def test_styles_scripts_and_meta() -> None:
    """Inline style, style blocks, string literals, JSON-LD, meta images and refresh each have their origin."""
    html = r"""<head><style>/* url(/no) */ a{background:url("/1.jpg")}</style>
    <meta property="og:image" content="/2.jpg"><meta content="/3.jpg" name="twitter:image:src">
    <meta content="0; URL='real.html'" http-equiv=Refresh><meta name=description content="/no.jpg">
    <script>var a="http:\/\/h.example\/4.jpg", b='<img src="/no.jpg">', c="<a href=\"/no\">"; // "/no.jpg"
    d = '/p/' + id + '.jpg'; e = "\u002F5.jpg"; f = /"/.test(x); g = `/6.jpg`; /* '/no.jpg' */</script>
    <script type="application/ld+json">{"@context":"https://schema.org","image":["7.jpg"],"url":"/8"}</script>
    <script type="text/template"><img src="/no.jpg"></script>
    <p style="background-image: url(&quot;/9.jpg&quot;)">"""
    assert [(link.origin, link.url[16:]) for link in page(html).links()] == [
        ("style", "/1.jpg"), ("meta", "/2.jpg"), ("meta", "/3.jpg"), ("refresh", "/d/real.html"), ("script", "/4.jpg"),
        ("script", "/5.jpg"), ("script", "/6.jpg"), ("json-ld", "/d/7.jpg"), ("json-ld", "/8"), ("style", "/9.jpg"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0;url=real.html", "/d/real.html"),
        ("5; URL = '/a b'", "/a%20b"),
        (" 3.5 , /plain", "/plain"),
        ('0;"/quoted"rest', "/quoted"),
        ("0", None),
        ("0;", None),
    ],
)
def test_meta_refresh(content: str, target: str | None) -> None:
    """The refresh pragma is read as the HTML standard says, in any order of attributes."""
    html = (
        f"<meta content='{content}' http-equiv=refresh>"
        if "'" not in content
        else f'<meta http-equiv=refresh content="{content}">'
    )
    assert found(html) == ([target] if target else [])


def test_what_cannot_be_fetched_is_left_out_and_foreign_schemes_stay() -> None:
    """javascript:, mailto: and data: are no links; ftp: and file: are, as the crawl reports them."""
    html = (
        "<a href='javascript:show(1)'>a</a><a href=' JavaScript:x'>a</a><a href='mailto:x@y'>b</a><a href=tel:1>c</a>"
        "<img src='data:image/gif;base64,AA'><a href=ftp://f/x>d</a><a href=file:///x>e</a><a>f</a>"
    )
    assert found(html) == ["ftp://f/x", "file:///x"]


def test_a_bad_url_is_noted_and_the_others_stay() -> None:
    """One impossible host costs one link, and is reported."""
    broken = page("<a href='http://[::bad/2.jpg'>b</a><a href=/p/6.jpg>ok</a>")
    assert [link.url for link in broken.links()] == ["http://h.example/p/6.jpg"]
    assert broken.bad_links[0].raw == "http://[::bad/2.jpg"


@pytest.mark.parametrize(
    ("head", "base"),
    [
        ("<!--" + "x" * 9000 + "--><base href=/deep/>", "http://h.example/deep/"),
        ("<base target=_top><BASE HREF='http://o.example/a/b'><base href=/no/>", "http://o.example/a/b"),
        ("<base href='../up/'>", "http://h.example/up/"),
        ("<base href='data:,x'>", URL),
        ("<base href='http://[x/'>", URL),
        ("<!-- <base href=/no/> --><script>'<base href=/no/>'</script>", URL),
    ],
)
def test_base(head: str, base: str) -> None:
    """The first real <base href> counts, wherever it stands in the head; a useless one does not."""
    assert page(head).base_url == base


def test_text_and_labels() -> None:
    """Visible text folded, else labels; scripts are not read; pictures inside label their link."""
    links = page(
        "<a href=1> Next\n <b>page</b><script>no()</script></a>"
        "<a href=2 title=T aria-label=L><img src=i alt=' A  B '></a>"
        "<a href=3>a<br>b<div>c</div>d</a><img src=j alt=Alt>"
    ).links()
    assert [link.text for link in links] == ["Next page", "T", "A B", "a b c d", "Alt"]
    assert links[1].labels == ("T", "L", "A B")


@pytest.mark.parametrize(
    "html",
    [
        "<a href=/x class='btn is-disabled'>n</a>",
        "<a href=/x aria-disabled=true>n</a>",
        "<a href=/x disabled>n</a>",
        "<li class='page-item disabled'><a href=/x>n</a></li>",
        "<li class=disabled><span><a href=/x>n</a></span></li>",
    ],
)
def test_disabled_links(html: str) -> None:
    """A greyed link says so by class, ARIA, attribute, on itself or close around."""
    assert [link.disabled for link in page(html).links()] == [True]


@pytest.mark.parametrize(
    "html", ["<a href=/x class='disabled:grey'>n</a>", "<div class=disabled><p>t</p></div><a href=/x>n</a>"]
)
def test_enabled_links(html: str) -> None:
    """Names that only contain the word, and other elements, disable nothing."""
    assert [link.disabled for link in page(html).links()] == [False]


def test_hidden_links() -> None:
    """A link inside what is not shown is hidden."""
    links = page("<div style='display: none'><p><a href=1>n</a></div><a href=2 hidden>n</a><a href=3>n</a>").links()
    assert [link.hidden for link in links] == [True, True, False]


def test_within_and_matching() -> None:
    """Only links inside the CSS selection, only URLs that the pattern finds and no exclusion does."""
    html = "<div id=main><a href=/album/1>1</a><div><a href=/album/0>0</a></div></div><a href=/album/2>2</a>"
    links = page(html).matching(re.compile(r"/album/\d+$"), [re.compile("/album/0$")], "#main, #main div")
    assert [link.url for link in links] == ["http://h.example/album/1"]
    with pytest.raises(ValueError, match="CSS selector"):
        page(html).links(within="a[")


def test_documents_that_are_no_html() -> None:
    """Style sheets, JSON answers and feeds give their URLs too."""
    css = Page(URL, b"@import 'a.css'; b{background:url(c.png)}", content_type="text/css; charset=utf-8")
    assert [link.url[16:] for link in css.links()] == ["/d/a.css", "/d/c.png"]
    answer = Page(URL, rb'{"html":"<a href=\"\/x.jpg\">","next":"\/list?p=2","id":"12"}', content_type="text/html")
    assert [link.url[16:] for link in answer.links()] == ["/x.jpg", "/list?p=2"]
    feed = Page(
        URL,
        b'<?xml version="1.0"?><rss><link>http://h.example/1?a=1&amp;b=2</link><enclosure url="/2.jpg"/>'
        b"<d><![CDATA[<img src=/3.jpg>]]></d></rss>",
        content_type="application/rss+xml",
    )
    assert [link.url[16:] for link in feed.links()] == ["/1?a=1&b=2", "/2.jpg", "/3.jpg"]


def test_forms() -> None:
    """POST forms are told with their labels, GET forms with the URL they lead to."""
    html = (
        "<form method=POST action=/list><input type=submit value=Next></form>"
        "<form action=/l><input type=hidden name=p value='2 3'><button>More</button></form>"
    )
    assert page(html).post_forms[0].labels == ("Next",)
    assert page(html).forms[1].url == "http://h.example/l?p=2+3"


@given(
    st.binary(max_size=300)
    | st.text(st.sampled_from("<>/=\"' abhref{}[]():;,.&#x-!0\0\\\n"), max_size=120).map(str.encode)
)
def test_hostile_bytes_raise_nothing(body: bytes) -> None:
    """Any bytes are a page: links or none, never an exception."""
    hostile = Page(URL, body)
    for link in hostile.links():
        assert ":" in link.url
    assert isinstance(hostile.title, str)
    assert isinstance(hostile.forms, list)


PIECES = """<a href=x>|</a>|<div>|</div>|<table>|<td>|<img src=/y srcset='a 1w,b 2w'>|<script>|'/z.jpg'|</script>|<!--
-->|<p>|<b>|</b>|text|<template>|<select>|<svg>|</svg>|<style>|<base href=/q/>|<form method=post>
<button>Next</button>|<iframe srcdoc='<a href=1>'>|<title>|\0"""
MARKUP = st.lists(st.sampled_from(re.split(r"[|\n]", PIECES))).map("".join)


@given(MARKUP)
def test_broken_markup_raises_nothing(html: str) -> None:
    """Tags in any order give links or none."""
    assert all(link.url for link in page(html).links())
