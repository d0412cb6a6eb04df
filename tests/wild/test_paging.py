"""Lists that go on in every way, and those that would go on for ever: one crawl over all of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from picspider.strategy.chains import MOST_DRY_PAGES, MOST_REPEATED_PAGES
from tests.wild.crawling import Fates, crawled, picture
from tests.wild.raw_server import Answer, Asked, RawServer, answer_of, serving

LAST = 4
ON = '<a href="{on}">Next</a>'


def html(text: str) -> bytes:
    """A page."""
    return answer_of(text.encode(), kind="text/html; charset=utf-8")


# What stands on all pages but the last ({on}: the next page, {back}: the one before), and what on the last.
PAGERS: dict[str, tuple[str, str]] = {
    "plain": (ON, ""),
    "disabled-by-class": (ON, '<a class="next disabled" href="{on}">Next</a>'),
    "disabled-around": (f"<li>{ON}</li>", '<li class="page-item disabled"><a tabindex=-1 href="{on}">Next</a></li>'),
    "disabled-by-aria": (ON, '<a aria-disabled=true href="{on}">Next</a>'),
    "disabled-by-attribute": (ON, '<a disabled href="{on}">Next</a>'),
    "disabled-by-a-modifier": (ON, '<a class="btn btn--disabled" href="{on}">Next</a>'),
    "leads-to-its-top": (ON, '<a href="#">Next</a>'),
    "leads-to-a-script": (ON, '<a href="javascript:void(0)">Next</a>'),
    "leads-nowhere": (ON, "<a>Next</a>"),
    "leads-to-itself": (ON, '<a href="{self}">Next</a>'),
    "leads-to-the-first": (ON, '<a href="{first}">Next</a>'),
    "title": ('<a href="{on}" title="Next page"><i></i></a>', ""),
    "aria-label": ('<a href="{on}" aria-label=Next><svg><path d="M0 0"/></svg></a>', ""),
    "alt": ('<a href="{on}"><img src=/arrow.gif alt=next></a>', ""),
    "svg-title": ('<a href="{on}"><svg><title>Next</title><path/></svg></a>', ""),
    "rel": ('<a rel=next href="{on}">&raquo;</a>', ""),
    "rel-in-the-head": ('<link rel=next href="{on}">', ""),
    "button-with-script": ("<button onclick=\"location.href='{on}'\">Next</button>", ""),
    "form-by-get": ("<form action={first}><input type=hidden name=p value={n}><button>Next</button></form>", ""),
    "word-in-pieces": ('<a href="{on}"><span>N</span><b>ext</b> &gt;</a>', ""),
    "capitals-and-blanks": ('<a href="{on}">&nbsp;NEXT&nbsp;»</a>', ""),
    "for-screen-readers": ('<a href="{on}"><span class=sr-only>Next</span>›</a>', ""),
    "longer-word-first": (f'<a href="http://127.0.0.1:9/">Nextcloud</a>{ON}', '<a href="http://127.0.0.1:9/">Nextcloud</a>'),
    "back-and-on": ('<a href="{back}">Previous</a>' + ON, '<a href="{back}">Previous</a>'),
    "next-album-too": (ON + '<a href="/g/plain">Next album</a>', '<a href="/g/plain">Next album</a>'),
    "twice": (ON + ON, ""),
}  # fmt: skip


def shown(name: str, number: int) -> str:
    """The links of the pictures on a page."""
    return "".join(f'<a href="/p/{name}/{number}-{each}.png">pic</a> ' for each in "ab")


def plain_chain(name: str) -> dict[str, Answer]:
    """The pages of a list that ends as its pager says."""
    pages: dict[str, Answer] = {}
    for number in range(1, LAST + 1):
        links = {"on": address(name, number + 1), "self": address(name, number), "first": address(name, 1),
                 "back": address(name, max(number - 1, 1)), "n": number + 1}  # fmt: skip
        pager = PAGERS[name][number == LAST].format(**links)
        pages[address(name, number)] = html(f"<title>{name} {number}</title>{shown(name, number)}{pager}")
    return pages


def address(name: str, number: int) -> str:
    """The address of a page in its list."""
    return f"/g/{name}?p={number}" if number > 1 else f"/g/{name}"


def endless(name: str, on_page: Callable[[int], str]) -> dict[str, Answer]:
    """A list whose server answers every number: *on_page* gives the pictures."""

    def answer(asked: Asked) -> bytes:
        number = int(asked.target.partition("p=")[2].partition("&")[0] or 1)
        return html(f'<title>{number}</title>{on_page(number)}<a href="{address(name, number + 1)}">Next</a>')

    return {address(name, number): answer for number in range(1, 3 * MOST_DRY_PAGES)}


def with_sessions(name: str) -> dict[str, Answer]:
    """A list in a ring, whose every link has a new session number."""
    numbers = itertools.count()

    def answer(asked: Asked) -> bytes:
        number = int(asked.target.partition("p=")[2].partition("&")[0] or 1)
        on = f"/g/{name}?p={number % LAST + 1}&sid={next(numbers)}"
        return html(f'<title>{number}</title>{shown(name, number)}<a href="{on}">Next</a>')

    pages = {f"/g/{name}?p={number}&sid={sid}": answer for number in range(1, LAST + 1) for sid in range(100)}
    return {address(name, 1): answer, **pages}


TRAPS: dict[str, dict[str, Answer]] = {
    "last-again": endless("last-again", lambda number: shown("last-again", min(number, LAST))),
    "first-again": endless("first-again", lambda number: shown("first-again", number if number <= LAST else 1)),
    "empty-for-ever": endless(
        "empty-for-ever", lambda number: shown("empty-for-ever", number) if number <= LAST else ""
    ),
    "sessions": with_sessions("sessions"),
}
MOST_REQUESTS = {"empty-for-ever": LAST + MOST_DRY_PAGES}


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> tuple[RawServer, Fates]:
    """One crawl over all lists."""
    answers: dict[str, Answer] = {}
    for name in PAGERS:
        answers |= plain_chain(name)
    for pages in TRAPS.values():
        answers |= pages
    names = [*PAGERS, *TRAPS]
    for name in names:
        answers |= {f"/p/{name}/{n}-{each}.png": answer_of(picture()) for n in range(1, LAST + 1) for each in "ab"}
    answers["/"] = html("".join(f'<p><a href="/g/{name}">{name}</a>' for name in [*names, "posts"]))
    answers["/g/posts"] = html("<title>p</title><form method=post><input type=submit value=Next></form>")
    config = {"layers": ["/g/[\\w-]+$", "/p/.*png"], "next_page": "Next", "fetch": {"retries": 0}}
    with serving(answers) as server:
        return server, crawled(server, tmp_path_factory.mktemp("paging"), config)


@pytest.mark.parametrize("name", [*PAGERS, *TRAPS])
def test_list(walked: tuple[RawServer, Fates], name: str) -> None:
    """Every picture of every page, and hardly a request more than the pages there are."""
    server, fates = walked
    expected = {f"/p/{name}/{n}-{each}.png" for n in range(1, LAST + 1) for each in "ab"}
    assert expected <= {url for url, fate in fates.fates.items() if fate == "picture"}
    asked = sum(times for target, times in server.counts.items() if target.partition("?")[0] == f"/g/{name}")
    assert asked <= MOST_REQUESTS.get(name, LAST + (name in TRAPS) * MOST_REPEATED_PAGES)
    assert server.counts[address(name, LAST + 1)] == 0 or name in TRAPS


def test_what_cannot_be_followed_is_told(walked: tuple[RawServer, Fates]) -> None:
    """Forms that would have to be sent, and a list that was left because it offers nothing more."""
    log = walked[1].crawl.log
    assert "sending a form (POST)" in log
    assert "next pages in a row had nothing new" in log
    assert walked[1].crawl.exit_code == 0, walked[1].crawl.complaints()
