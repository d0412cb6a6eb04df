from __future__ import annotations

import pytest

from picspider.propose.groups import Sheet
from picspider.propose.next_pages import certainly_next, guesses
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
        ("/x.php", '<a href="/x.php?from=40">on</a>', (("url", r"[?&]from=\d+"),), "/x.php?from=40"),
        ("/x.php", '<a href="/x.php?half=2"><img src="on.png"></a>', (("url", r"[?&]half=\d+"),), "/x.php?half=2"),
        ("/x.php", '<a href="/x.php?s=2">2</a>', (("url", r"[?&]s=\d+"),), "/x.php?s=2"),
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
        ("/x.php", '<a href="/x.php?album=2">Album 2</a><a href="/x.php?album=3">Album 3</a>'),
    ],
)
def test_no_guess(url: str, markup: str) -> None:
    """Addresses with numbers that do not count this page on are no next pages."""
    assert guesses(Sheet.of(page(markup, BASE + url))) == []


def test_two_signs() -> None:
    """A next page for certain is counted on, and has a word or a number for its text."""
    markup = '<a href="/album-1.html">1</a><a href="/list-2.html">2</a><a href="/list-3.html">older</a>'
    sheet = Sheet.of(page(f'{markup}<a href="/list-4.html">autumn</a>', BASE + "/list-1.html"))
    assert certainly_next(sheet) == {BASE + "/list-2.html", BASE + "/list-3.html"}
