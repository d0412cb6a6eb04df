"""Links as pages of the wild write them, and what a browser makes of each (HTML and URL standards)."""

# ruff: noqa: E501 - a page is easier to read in one line

from __future__ import annotations

import pytest

from picspider.links.page import Page

PAGE = "http://h.ex/a/b/p.html"
# What the page says, and the URLs behind http://h.ex that it holds; other servers are written out.
CASES: dict[str, tuple[str, list[str]]] = {
    "srcset commas in url": (
        '<img srcset="/i/w_400,h_300/a.jpg 400w, /i/w_800,h_600/a.jpg 800w">',
        ["/i/w_400,h_300/a.jpg", "/i/w_800,h_600/a.jpg"],
    ),
    "srcset no space after comma": ('<img srcset="/a.jpg 1x,/b.jpg 2x">', ["/a.jpg", "/b.jpg"]),
    "srcset nodesc comma": ('<img srcset="/a.jpg, /b.jpg 2x">', ["/a.jpg", "/b.jpg"]),
    "srcset data uri": ('<img srcset="data:image/gif;base64,R0lG 1x, /b.jpg 2x">', ["/b.jpg"]),
    "srcset newlines": ('<img srcset="\n\t/a.jpg 320w,\n\t/b.jpg 640w\n">', ["/a.jpg", "/b.jpg"]),
    "srcset h descriptor": ('<img srcset="/a.jpg 320w 240h, /b.jpg 640w 480h">', ["/a.jpg", "/b.jpg"]),
    "srcset float": ('<img srcset="/a.jpg 1.5x, /b.jpg 2.0x">', ["/a.jpg", "/b.jpg"]),
    "picture media": (
        '<picture><source media="(min-width: 800px)" srcset="/l.webp" type="image/webp"><source srcset="/l.jpg 2x, /m.jpg"><img src="/s.jpg"></picture>',
        ["/l.webp", "/l.jpg", "/m.jpg", "/s.jpg"],
    ),
    "noscript": (
        '<img class=lazy src="data:image/gif;base64,AA"><noscript><img src="/real.jpg"></noscript>',
        ["/real.jpg"],
    ),
    "noscript in head": (
        '<head><noscript><link rel=stylesheet href="/x.css"><img src="/r.jpg"></noscript></head>',
        ["/x.css", "/r.jpg"],
    ),
    "css bg list": (
        "<div style=\"background:url(/a.jpg),url('/b.jpg') no-repeat, url( &quot;/c.jpg&quot; )\">",
        ["/a.jpg", "/b.jpg", "/c.jpg"],
    ),
    "css entity quote": ('<div style="background-image:url(&#39;/a b.jpg&#39;)">', ["/a%20b.jpg"]),
    "css escaped paren": ('<div style="background:url(/a\\(1\\).jpg)">', ["/a(1).jpg"]),
    "css image-set": ('<style>a{background:image-set("a.png" 1x, "b.png" 2x)}</style>', ["/a/b/a.png", "/a/b/b.png"]),
    "css image-set type": (
        '<style>a{background:image-set("a.avif" type("image/avif"), "b.jpg" type("image/jpeg"))}</style>',
        ["/a/b/a.avif", "/a/b/b.jpg"],
    ),
    "css image-set mixed": (
        "<style>a{background:-webkit-image-set(url(a.png) 1x, url(b.png) 2x)}</style>",
        ["/a/b/a.png", "/a/b/b.png"],
    ),
    "css var": ('<div style="--bg: url(/v.jpg)">', ["/v.jpg"]),
    "css import nostring": ('<style>@import url(/x.css); @import "/y.css" screen;</style>', ["/x.css", "/y.css"]),
    "jsonld array": (
        '<script type="application/ld+json">{"image":["/a.jpg","https://h.ex/b.jpg",{"@type":"ImageObject","contentUrl":"c.jpg","url":"d/e.png"}]}</script>',
        ["/a.jpg", "https://h.ex/b.jpg", "/a/b/c.jpg", "/a/b/d/e.png"],
    ),
    "jsonld html comments": (
        '<script type="application/ld+json"><!--\n{"image":"https://h.ex/b.jpg"}\n--></script>',
        ["https://h.ex/b.jpg"],
    ),
    "jsonld cdata": (
        '<script type="application/ld+json">//<![CDATA[\n{"image":"https://h.ex/b.jpg"}\n//]]></script>',
        ["https://h.ex/b.jpg"],
    ),
    "jsonld newline in string": (
        '<script type="application/ld+json">{"d":"x\ny","image":"https://h.ex/b.jpg"}</script>',
        ["https://h.ex/b.jpg"],
    ),
    "og secure": (
        '<meta property="og:image:secure_url" content="https://h.ex/o.jpg"><meta property="og:image" content="/o2.jpg"><meta name="twitter:image:src" content="t.jpg"><meta itemprop=image content=i.jpg><meta property="og:image:url" content="//cdn.ex/q">',
        ["https://h.ex/o.jpg", "/o2.jpg", "/a/b/t.jpg", "/a/b/i.jpg", "http://cdn.ex/q"],
    ),
    "base target only": ('<base target=_blank><a href="x.html">x</a>', ["/a/b/x.html"]),
    "base target then href": ('<base target=_blank><base href="/q/"><a href="x.html">x</a>', ["/q/x.html"]),
    "base in body": (
        '<body><p><a href=1.html>1</a><base href="/q/"><a href="x.html">x</a>',
        ["/q/1.html", "/q/x.html"],
    ),
    "base twice": ('<base href="/q/"><base href="/r/"><a href="x.html">x</a>', ["/q/x.html"]),
    "base protocol relative": ('<base href="//o.ex/q/"><a href="x.html">x</a>', ["http://o.ex/q/x.html"]),
    "base empty": ('<base href=""><a href="x.html">x</a>', ["/a/b/x.html"]),
    "base spaces": ('<base href="  /q/ \n"><a href="x.html">x</a>', ["/q/x.html"]),
    "base no slash": ('<base href="http://o.ex"><a href="x.html">x</a>', ["http://o.ex/x.html"]),
    "base javascript": ('<base href="javascript:void(0)"><a href="x.html">x</a>', ["/a/b/x.html"]),
    "base data": ('<base href="data:text/html,"><a href="x.html">x</a>', ["/a/b/x.html"]),
    "base in svg": ('<svg><base href="/q/"/></svg><a href="x.html">x</a>', ["/a/b/x.html"]),
    "base in comment": ('<!-- <base href="/q/"> --><a href="x.html">x</a>', ["/a/b/x.html"]),
    "base in script": ('<script>var a=\'<base href="/q/">\'</script><a href="x.html">x</a>', ["/a/b/x.html"]),
    "base in template": ('<template><base href="/q/"></template><a href="x.html">x</a>', ["/a/b/x.html"]),
    "BASE caps": ('<BaSe HREF="/q/"><a href="x.html">x</a>', ["/q/x.html"]),
    "entity no semi": (
        '<a href="/x?a=1&amp b=2">x</a><a href="/x?a=1&copy=2">x</a><a href="/y?a=1&ampb=2">y</a>',
        ["/x?a=1&%20b=2", "/x?a=1&copy=2", "/y?a=1&ampb=2"],
    ),
    "nbsp href": ('<a href="&nbsp;/x.jpg">x</a>', ["/a/b/%C2%A0/x.jpg"]),
    "nbsp char tail": ('<a href="/x.jpg\xa0">x</a>', ["/x.jpg%C2%A0"]),
    "query only": ('<a href="?p=2">x</a>', ["/a/b/p.html?p=2"]),
    "empty href": ('<a href="">x</a>', []),
    "hash only": ('<a href="#x">x</a>', []),
    "hash bang": ('<a href="/x.html#!/p">x</a>', ["/x.html"]),
    "double slash path": ('<a href="/a//b///c.jpg">x</a>', ["/a//b///c.jpg"]),
    "dots up too far": ('<a href="../../../../x.jpg">x</a>', ["/x.jpg"]),
    "dots inside": ('<a href="/a/./b/../c.jpg">x</a>', ["/a/c.jpg"]),
    "trailing dotdot": ('<a href="..">x</a>', ["/a/"]),
    "http no slashes": ('<a href="http:x.jpg">x</a>', ["/a/b/x.jpg"]),
    "http one slash": ('<a href="http:/x.jpg">x</a>', ["/x.jpg"]),
    "http three slash": ('<a href="http:///h2.ex/x.jpg">x</a>', ["http://h2.ex/x.jpg"]),
    "https one": ('<a href="https:/o.ex/x.jpg">x</a>', ["https://o.ex/x.jpg"]),
    "idn": ('<a href="http://bücher.ex/x.jpg">x</a>', ["http://xn--bcher-kva.ex/x.jpg"]),
    "idn fullwidth dot": ('<a href="http://h。ex/x.jpg">x</a>', ["/x.jpg"]),
    "port default": ('<a href="http://h.ex:80/x.jpg">x</a>', ["/x.jpg"]),
    "port empty": ('<a href="http://h.ex:/x.jpg">x</a>', ["/x.jpg"]),
    "port bad": ('<a href="http://h.ex:99999/x.jpg">x</a>', []),
    "userinfo": ('<a href="http://u:p@h.ex/x.jpg">x</a>', ["http://u:p@h.ex/x.jpg"]),
    "trailing dot host": ('<a href="http://h.ex./x.jpg">x</a>', ["http://h.ex./x.jpg"]),
    "decimal ip": ('<a href="http://2130706433/x.jpg">x</a>', ["http://127.0.0.1/x.jpg"]),
    "hex ip": ('<a href="http://0x7f.1/x.jpg">x</a>', ["http://127.0.0.1/x.jpg"]),
    "lower escape": ('<a href="/%e3%81%82.jpg">x</a>', ["/%e3%81%82.jpg"]),
    "bad percent": ('<a href="/100%.jpg">x</a><a href="/%zz.jpg">x</a>', ["/100%.jpg", "/%zz.jpg"]),
    "quote in path": ("<a href='/a\"b.jpg'>x</a>", ["/a%22b.jpg"]),
    "unquoted attr": ("<a href=/x.jpg>x</a><img src=y.jpg/>", ["/x.jpg", "/a/b/y.jpg/"]),
    "duplicate attr": ("<a href=/1.jpg href=/2.jpg>x</a>", ["/1.jpg"]),
    "missing quote": ('<a href="/1.jpg>x</a><a href="/2.jpg">y</a>', ["/1.jpg%3Ex%3C/a%3E%3Ca%20href="]),
    "attr newline": ('<a\nhref\n=\n"/1.jpg"\n>x</a>', ["/1.jpg"]),
    "svg image href": ('<svg><image href="/a.png"/><image xlink:href="/b.png"/></svg>', ["/a.png", "/b.png"]),
    "svg a": ('<svg><a xlink:href="/b.html"><text>x</text></a></svg>', ["/b.html"]),
    "video poster": ('<video poster="/p.jpg" src=/v.mp4>', ["/p.jpg", "/v.mp4"]),
    "input image": ("<input type=image src=/i.png>", ["/i.png"]),
    "object embed": ('<object data="/o.svg"></object><embed src=/e.svg>', ["/o.svg", "/e.svg"]),
    "link icon preload": (
        '<link rel=preload as=image href=/p.jpg imagesrcset="/q.jpg 1x, /r.jpg 2x">',
        ["/p.jpg", "/q.jpg", "/r.jpg"],
    ),
    "link image_src": ("<link rel=image_src href=/p.jpg>", ["/p.jpg"]),
    "body background": ("<body background=/p.jpg>", ["/p.jpg"]),
    "td background": ("<table background=/t.jpg><tr><td background=/p.jpg>x</table>", ["/t.jpg", "/p.jpg"]),
    "lazy bg": (
        '<div data-bg="/a.jpg" data-background-image="url(/b.jpg)" data-bgset="/c.jpg 100w, /d.jpg 200w">',
        ["/a.jpg", "/b.jpg", "/c.jpg", "/d.jpg"],
    ),
    "lazy odd": (
        '<img data-lazy="a.jpg" data-echo="/b.jpg" data-hi-res-src="c.jpg" ng-src="/d.jpg" :src="\'/e.jpg\'" data-large_image=/f.jpg data-orig-file="https://h.ex/g.jpg?x=1" file="h.jpg" zoomfile="i.jpg" data-srcset="/j.jpg 2x">',
        [
            "/a/b/a.jpg",
            "/b.jpg",
            "/a/b/c.jpg",
            "/d.jpg",
            "/e.jpg",
            "/f.jpg",
            "https://h.ex/g.jpg?x=1",
            "/a/b/h.jpg",
            "/a/b/i.jpg",
            "/j.jpg",
        ],
    ),
    "data json attr": (
        '<div data-item=\'{"full":"\\/x\\/1.jpg","thumb":"/t/1.jpg"}\' data-images="[&quot;/a.jpg&quot;,&quot;/b.jpg&quot;]">',
        ["/x/1.jpg", "/t/1.jpg", "/a.jpg", "/b.jpg"],
    ),
    "onclick": (
        "<a href=\"#\" onclick=\"window.open('/big/1.jpg','w')\">x</a><a href=\"javascript:show('/big/2.jpg')\">y</a>",
        ["/big/1.jpg"],
    ),
    "href javascript url": ("<a href=\"javascript:popup('pic.php?id=3')\">y</a>", []),
    "script escaped": (
        '<script>var x={"u":"https:\\/\\/h.ex\\/a.jpg","v":"\\u002fb\\u002fc.jpg"}</script>',
        ["https://h.ex/a.jpg", "/b/c.jpg"],
    ),
    "script in html entity json": (
        '<script type="application/json">{"a":"/x.jpg","b":{"c":["/y.jpg"]}}</script>',
        ["/x.jpg", "/y.jpg"],
    ),
    "script html string": ('<script>document.write("<img src=\\"/w.jpg\\">")</script>', []),
    "iframe srcdoc": ('<iframe srcdoc="<img src=/s.jpg>"></iframe>', ["/s.jpg"]),
    "iframe data-src": ('<iframe data-src="/f.html"></iframe>', ["/f.html"]),
    "meta refresh variants": (
        '<meta http-equiv=Refresh content="0;URL=\'/n.html\'"><meta http-equiv=refresh content="5; /m.html"><meta http-equiv=refresh content="0,url=/k.html">',
        ["/n.html", "/m.html", "/k.html"],
    ),
    "cond comment": (
        "<!--[if IE]><a href=/ie.html>x</a><![endif]--><![if !IE]><a href=/n.html>x</a><![endif]>",
        ["/n.html"],
    ),
    "textarea": ("<textarea><a href=/ta.html>x</a></textarea><a href=/b.html>b</a>", ["/b.html"]),
    "template": ("<template><img src=/t.jpg></template>", ["/t.jpg"]),
    "xmp/plaintext": ("<xmp><a href=/ta.html>x</a></xmp><a href=/b.html>b</a>", ["/b.html"]),
    "nested a": ("<a href=/1.html>x<a href=/2.html>y</a></a>", ["/1.html", "/2.html"]),
    "a in table junk": ("<table><a href=/1.html>x</a><tr><td>y</table>", ["/1.html"]),
    "tab in scheme": ('<a href="ht\ntp://o.ex/x.jpg">x</a>', ["http://o.ex/x.jpg"]),
    "null": ('<a href="/x\x00y.jpg">x</a>', ["/x%EF%BF%BDy.jpg"]),
    "bare ampersand": ('<a href="/x?a=1&b=2&amp;c=3&lt=4">x</a>', ["/x?a=1&b=2&c=3&lt=4"]),
    "numeric entity nul": (
        '<a href="/x&#0;.jpg">x</a><a href="/x&#x20;y.jpg">y</a>',
        ["/x%EF%BF%BD.jpg", "/x%20y.jpg"],
    ),
    "iri path utf8": ('<a href="/图/é.jpg">x</a>', ["/%E5%9B%BE/%C3%A9.jpg"]),
    "emoji": ('<a href="/😀.jpg">x</a>', ["/%F0%9F%98%80.jpg"]),
    "pipe brackets": ('<a href="/a|b[1].jpg">x</a>', ["/a|b[1].jpg"]),
    "area": ("<map><area href=/1.html shape=rect></map>", ["/1.html"]),
    "xhtml self close": ('<a href="/1.html" />text <a href="/2.html"/>', ["/1.html", "/2.html"]),
    "data url list space": ('<img data-sizes="auto" data-srcset="/a.jpg 300w">', ["/a.jpg"]),
    "amp-img": ('<amp-img src="/a.jpg" srcset="/b.jpg 2x"></amp-img>', ["/a.jpg", "/b.jpg"]),
    "custom element": ('<my-image full="/a.jpg" thumb="/b.jpg"></my-image>', ["/a.jpg", "/b.jpg"]),
    "button formaction": ('<button data-href="/n.html">x</button>', ["/n.html"]),
    "slot shadow": ("<div><template shadowrootmode=open><img src=/sh.jpg></template></div>", ["/sh.jpg"]),
    "iframe fallback": ("<iframe src=/f.html><a href=/fb.html>x</a></iframe>", ["/f.html"]),
}


@pytest.mark.parametrize("name", CASES)
def test_links(name: str) -> None:
    """Exactly the URLs that a browser or a script would load, in document order."""
    html, expected = CASES[name]
    page = Page(PAGE, html.encode(), content_type="text/html; charset=utf-8")
    assert [
        link.url.removeprefix("http://h.ex/").join(("/", "")) if link.url.startswith("http://h.ex/") else link.url
        for link in page.links()
    ] == expected


def test_impossible_addresses_are_told() -> None:
    """What is no URL is not a link, and is not dropped in silence either."""
    page = Page(PAGE, b'<a href="http://h.ex:99999/x.jpg">x</a><a href="http://[::1/y.jpg">y</a>')
    assert page.links() == []
    assert [bad.raw for bad in page.bad_links] == ["http://h.ex:99999/x.jpg", "http://[::1/y.jpg"]


@pytest.mark.parametrize(
    ("html", "url"),
    [
        ('<base href=""><base href="/q/"><a href=x>x</a>', "http://h.ex/a/b/x"),
        ('<base href><base href="/q/"><p><a href=x>x</p></a>', "http://h.ex/a/b/x"),
        ('<BaSe HREF="/q/"><p><a href=x>x</p></a>', "http://h.ex/q/x"),
    ],
)
def test_the_first_base_with_an_href_counts(html: str, url: str) -> None:
    """However it is spelt, and though it is empty; the parser and the scanner see it alike."""
    assert [link.url for link in Page(PAGE, html.encode()).links()] == [url]


def test_json_with_a_callback_around_it() -> None:
    """What is served as a script is read as one, though it comes where a page is expected."""
    page = Page(PAGE, b'show({"items": [{"image": "\\/p\\/1.jpg"}]});', content_type="application/javascript")
    assert [link.url for link in page.links()] == ["http://h.ex/p/1.jpg"]
