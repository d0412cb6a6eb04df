from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from picspider.links.page import Page
from picspider.paging import PAGING, CssPaging, PagingRule, RelPaging, TemplatePaging, TextPaging, UrlPaging

URL = "http://h.example/list/2"


def page(html: str, url: str = URL) -> Page:
    """A page of *html* as a server would send it."""
    return Page(url, html.encode(), "utf-8", "text/html")


def following(rule: PagingRule, html: str, number: int = 1, url: str = URL) -> list[str]:
    """The URLs found, without the host of the page."""
    return [link.url.removeprefix("http://h.example") for link in rule.next_links(page(html, url), number)]


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Next", "<a href=/p3>Next</a>"),
        ("next", "<a href=/p3> NEXT\n page »</a>"),
        ("Next page", "<a href=/p3>Next&nbsp;<b>page</b></a>"),
        ("Next", "<a href=/p3>N<b>ext</b></a>"),
        ("Next", "<a href=/p3 title='Next page'><img src=arrow.png></a>"),
        ("Next", "<a href=/p3 aria-label=Next>›</a>"),
        ("Next", "<a href=/p3><img src=arrow.png alt=Next></a>"),
        ("Next", "<a href=/p3><span><i aria-label='next'></i></span></a>"),
        ("Next", "<a href=/p3><svg><title>Next</title></svg></a>"),
        ("Next", "<a href=/p3 rel='nofollow NEXT'>›</a>"),
        ("Next", "<link rel=next href=/p3>"),
        ("›", "<a href=/p1>‹</a><a href=/p3>›</a>"),
        ("»", "<a href=/p3>&raquo;</a>"),
        ("下一页", "<a href=/p1>上一页</a><a href=/p3>下一页&gt;&gt;</a>"),
        ("下一页", "<a href=/p3>下一页面</a>"),
        ("次へ", "<a href=/p3>次へ進む</a>"),
        ("Далее", "<a href=/p3>ДАЛЕЕ →</a>"),
        ("Next", "<a href=/cloud>Nextcloud</a><a href=/p3>Next</a>"),
        ("Next", "<a href=/chapter>Next chapter</a><a href=/p3>Next</a>"),
        ("Next", "<a href=/label title=Next>x</a><a href=/p3>Next</a>"),
        ("Next", "<a href=/hidden hidden>Next</a><a href=/p3>Next</a>"),
        ("Next", "<div style='display:none'><a href=/hidden>Next</a></div><a href=/p3>Next page</a>"),
        ("Next", "<a href=/p3>Next</a><a href=/later>Next</a>"),
        ("Next", "<a href='#'>Next</a><a href=/p3>Next</a>"),
        ("Next", "<li class=disabled><a href=/off>Next</a></li><a href=/p3>Next</a>"),
        ("Next", "<a href=/list/2>Next</a><a href=/p3>Next</a>"),
        ("Next", "<button onclick=\"location.href='/p3'\">Next</button>"),
        ("Next", "<form action=/p3><input type=submit value=Next></form>"),
        ("Next", "<form action=/p3><button>Next</button></form><form action=/p4><button>Next</button></form>"),
        ("Next", "<base href=http://h.example/sub/><a href=../p3>Next</a>"),
    ],
)
def test_text(text: str, html: str) -> None:
    """The link whose text, label or rel begins with the pattern, in any language; the best one of several."""
    assert following(TextPaging(text=text), html) == ["/p3"]


@pytest.mark.parametrize(
    "html",
    [
        "<a href=/cloud>Nextcloud</a>",
        "<a href=/ones>Nexts</a><a href=/n>Nextn »</a>",
        "<a href=/x>See the Next</a>",
        "<a href='#'>Next</a>",
        "<a href='javascript:next()'>Next</a>",
        "<a>Next</a>",
        "<a href=/off class=disabled>Next</a>",
        "<a href=/off aria-disabled=TRUE>Next</a>",
        "<!-- <a href=/x>Next</a> -->",
        "<form method=post action=/list><input type=submit value=Next></form>",
        "",
    ],
)
def test_no_next_page_by_text(html: str) -> None:
    """Other words, disabled buttons, scripts and POST forms are no next page."""
    assert following(TextPaging(text="Next"), html) == []


def test_a_post_form_is_told() -> None:
    """A list that goes on only by POST can be told to the user."""
    html = "<form method=post action=/{}><button>{}</button></form>"
    html = html.format("search", "Go") + html.format("l", "Next")
    form = TextPaging(text="next").post_form(page(html))
    assert form is not None
    assert form.url == "http://h.example/l"
    assert TextPaging(text="weiter").post_form(page(html)) is None
    assert RelPaging(rel="next").post_form(page(html)) is None


def test_a_next_page_that_is_the_page_itself_comes_only_alone() -> None:
    """It ends the chain and is a repeat to record; where another link leads on, that one is taken."""
    assert following(TextPaging(text="Next"), "<a href=/list/2#x>Next</a>") == ["/list/2"]
    assert following(UrlPaging(url="/list/"), "<a href=/list/2>2</a><a href=/list/3>3</a>") == ["/list/3"]


@pytest.mark.parametrize(
    ("html", "urls"),
    [
        ("<a href=/r>1</a><a href=/p3 rel=next>Next</a>", ["/p3"]),
        ("<link rel='prefetch Next' href=/p3>", ["/p3"]),
        ("<a href=/p3 rel=next>Next</a><a href=/p4 rel=next>Next</a>", ["/p3"]),
        ("<area rel=next href=/p3>", ["/p3"]),
        ("<a href=/p1 rel=prev>x</a><a href=/x rel=nextish>y</a>", []),
        ("<a href=/off rel=next class=disabled>x</a>", []),
    ],
)
def test_rel(html: str, urls: list[str]) -> None:
    """The word counts as one of several words, in any case, on <a>, <area> and <link>."""
    assert following(RelPaging(rel="next"), html) == urls


def test_url() -> None:
    """Every link whose absolute URL matches, each once, as forward and back may look alike."""
    html = "<a href='?page=1'>‹</a><a href='?page=3'>3</a><a href='?page=3#x'>›</a><a href=/other>o</a>"
    assert following(UrlPaging(url=r"\?page=\d+$"), html) == ["/list/2?page=1", "/list/2?page=3"]


def test_url_without_its_page() -> None:
    """Only a rule of the URL alone can say whether one is a next page; the others need the page."""
    assert UrlPaging(url=r"\?page=\d+$").takes_url("http://h.example/?page=2") is True
    assert UrlPaging(url=r"\?page=\d+$").takes_url("http://h.example/about") is False
    assert TextPaging(text="Next").takes_url("http://h.example/?page=2") is None


def test_css() -> None:
    """The link selected, or in what is selected; data attributes when there is no plain link."""
    assert following(CssPaging(css="a.next"), "<a class=next href=/p3><img src=i.png></a>") == ["/p3"]
    assert following(CssPaging(css="li.next"), "<li class=next><a href=/p3>x</a>") == ["/p3"]
    assert following(CssPaging(css=".more"), "<button class=more data-url=/p3>x</button>") == ["/p3"]
    assert following(CssPaging(css=".next"), "<a href=/p3>x</a>") == []
    assert (
        following(CssPaging(css=".next"), "<b class=next><img src=/i.png srcset=/i2.png><a style='background:url(/b)'>")
        == []
    )
    assert following(CssPaging(css=".next"), "<b class=next><i data-url=/data></i><a href=/p3>x</a>") == ["/p3"]


def test_template() -> None:
    """Page 1 is followed by number 2, up to the last one; zeros, offsets and relative forms as written."""
    rule = TemplatePaging(template="http://h.example/p{n:03d}", last=3)
    assert [following(rule, "", number) for number in (1, 2, 3)] == [["/p002"], ["/p003"], []]
    assert following(TemplatePaging(template="?start={n}", first=0, step=30), "", 2) == ["/list/2?start=60"]
    assert following(TemplatePaging(template="/a/{n}/b/{n}"), "", 1) == ["/a/2/b/2"]
    assert following(TemplatePaging(template="http://[{n}"), "", 1) == []


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("text", {"text": " "}),
        ("rel", {"rel": "two words"}),
        ("url", {"url": "("}),
        ("css", {"css": "a["}),
        ("template", {"template": "?page=1"}),
        ("template", {"template": "?page={x}"}),
        ("template", {"template": "?page={n:999d}"}),
        ("text", {"text": "Next", "last": 3}),
    ],
)
def test_wrong_rules_are_refused(kind: str, fields: dict[str, object]) -> None:
    """A rule that cannot work is refused while the config is read."""
    with pytest.raises(ValidationError):
        PAGING[kind](**fields)


@given(st.text(max_size=20).filter(lambda text: text.strip()), st.binary(max_size=200))
def test_any_text_on_any_page(text: str, body: bytes) -> None:
    """No text and no page makes the rule raise."""
    rule = TextPaging(text=text)
    assert len(rule.next_links(Page(URL, body), 1)) <= 1
