"""Which link of a page that was read again takes the place of an expired one."""

from __future__ import annotations

from picspider.strategy.layers import Visit
from picspider.strategy.renewals import renewals


def visits(*urls: str) -> list[Visit]:
    """The links of a page."""
    return [Visit(url, "picture", 2, 1, "", position) for position, url in enumerate(urls)]


def test_what_differs_in_the_query_alone() -> None:
    """Such a link is the fresh address, if there is one only; a link of the same URL is it before all others."""
    shown = visits("http://a/1.jpg?sig=new", "http://a/2.jpg?sig=old", "http://a/2.jpg?sig=new", "http://a/3.jpg?v=1",
                   "http://a/3.jpg?v=2")  # fmt: skip
    expired = [(n, f"http://a/{n}.jpg?sig=old") for n in (1, 2, 3, 4)]
    assert renewals(shown, expired) == {1: shown[0], 2: shown[1]}
    assert renewals([], expired) == renewals(shown, []) == {}


def test_link_is_the_fresh_address_of_one_row() -> None:
    """Two rows that differ in the query alone do not both get the one link that the page shows now."""
    (link,) = visits("http://a/1.jpg?sig=new")
    assert renewals([link], [(1, "http://a/1.jpg?sig=1"), (2, "http://a/1.jpg?sig=2")]) == {1: link}
    assert renewals([link], [(1, "http://a/1.jpg?sig=1"), (2, "http://a/1.jpg?sig=new")]) == {2: link}
