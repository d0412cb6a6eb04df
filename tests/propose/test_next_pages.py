from __future__ import annotations

import pytest

from picspider.propose.groups import Sheet
from picspider.propose.next_pages import guesses
from tests.propose.memory_site import BASE, page


@pytest.mark.parametrize(
    ("url", "markup", "rule", "target"),
    [
        ("/", '<link rel="next" href="/page/2/">', (("rel", "next"),), "/page/2/"),
        ("/", '<a href="/page/2/">Next</a>', "Next", "/page/2/"),
        ("/", '<a href="/page/2/">下一页</a>', "下一页", "/page/2/"),
        ("/", '<a href="/page/2/">2</a>', (("url", r"/page/\d+/$"),), "/page/2/"),
        ("/a/list.html", '<a href="list_2.html">2</a>', (("url", r"/list_\d+\.html$"),), "/a/list_2.html"),
        ("/a/index.html", '<a href="index_1.html">2</a>', (("url", r"/index_\d+\.html$"),), "/a/index_1.html"),
        ("/g/7/", '<a href="page2.html">2</a>', (("url", r"/page\d+\.html$"),), "/g/7/page2.html"),
        ("/a?x=1", '<a href="?x=1&amp;p=2">2</a>', (("url", r"[?&]p=\d+"),), "/a?x=1&p=2"),
        ("/l?page=1", "<p>none</p>", (("template", "?page={n}"),), "/l?page=2"),
    ],
)
def test_guess(url: str, markup: str, rule: object, target: str) -> None:
    """Each way of going on is recognised, with the rule that a config needs."""
    (guess,) = guesses(Sheet.of(page(markup, BASE + url)))
    assert (guess.rule, guess.url) == (rule, BASE + target)


@pytest.mark.parametrize(
    ("url", "markup"),
    [
        ("/g/7/", '<a href="p0002.html">2nd picture</a>'),
        ("/photo/3.html", '<a href="/album/2.html">album</a>'),
        ("/", '<a href="/album/2/">an album</a>'),
        ("/", '<a href="/">Next</a>'),
    ],
)
def test_no_guess(url: str, markup: str) -> None:
    """Addresses with numbers that do not count this page on are no next pages."""
    assert guesses(Sheet.of(page(markup, BASE + url))) == []
