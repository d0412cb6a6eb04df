from __future__ import annotations

from picspider.config.load import load_config
from picspider.explain.layer_verdict import layer_verdict
from picspider.explain.on_page import OnPage
from picspider.links.page import Page

CONFIG = """
entry: https://g.example/
layers: [/album/, /full/]
next_page: Next
urls: {ignore_parameters: [sid]}
"""
PAGE = Page(
    "https://g.example/",
    b"""<a href="/album/1/?sid=4">one</a> <a href="/full/1/">a picture</a> <a href="/list?page=2&sid=4">Next</a>""",
)


def seen(layer: int, path: str) -> OnPage | None:
    """What the page shows of a URL to the rules that lead to *layer*."""
    return layer_verdict(load_config(CONFIG), layer, f"https://g.example{path}", PAGE).on_page


def test_what_the_config_ignores_makes_no_other_url() -> None:
    """A link that differs by an ignored parameter, or a page's last slash, is the one that is asked about."""
    assert seen(1, "/album/1") == OnPage(found=True, within=None, larger=None)
    assert seen(1, "/album/1/?sid=5&x=1") == OnPage(found=False, within=None, larger=None)
    assert layer_verdict(load_config(CONFIG), 1, "https://g.example/list?page=2", PAGE).next_page is True


def test_the_last_slash_of_a_picture_counts() -> None:
    """As in the crawl, pictures that differ by a last slash are two."""
    assert seen(2, "/full/1/?sid=1") == OnPage(found=True, within=None, larger=None)
    assert seen(2, "/full/1") == OnPage(found=False, within=None, larger=None)
