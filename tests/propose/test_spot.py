from __future__ import annotations

import pytest

from picspider.propose.spot import plain_step, spots_of
from tests.propose.memory_site import BASE, page


@pytest.mark.parametrize(
    ("markup", "role"),
    [
        ('<a href="x.html">x</a>', "page"),
        ('<a href="x">x</a>', "page"),
        ('<a href="x.jpg">x</a>', "picture"),
        ('<img src="x">', "picture"),
        ('<img data-src="/x.webp">', "picture"),
        ("<p style=\"background:url('x.png')\">", "picture"),
        ('<a href="x.zip">x</a>', "other"),
        ('<link rel="stylesheet" href="x">', "other"),
        ('<script src="x"></script>', "other"),
        ('<iframe src="x"></iframe>', "page"),
    ],
)
def test_role(markup: str, role: str) -> None:
    """What a link promises to be is told by its element and its ending."""
    (spot,) = spots_of(page(markup))
    assert spot.role == role


def test_links_that_a_script_writes() -> None:
    """Markup in the strings of a script counts as written, once, and not what is a link anyway."""
    spots = spots_of(page('<a href=a.html>a</a><script>write(\'<a href="b.html"><a href="a.html">\')</script>'))
    assert [(spot.url, spot.origin) for spot in spots] == [(f"{BASE}/a.html", "href"), (f"{BASE}/b.html", "written")]


def test_place_without_numbers() -> None:
    """Ids and classes with numbers differ from one item to the next, so they are left out."""
    assert plain_step("li#post-12.wide.item7.a") == "li.a.wide"
