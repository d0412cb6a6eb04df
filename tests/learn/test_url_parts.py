"""Splitting URLs into raw parts."""

from hypothesis import given
from hypothesis import strategies as st

from picspider.learn.url_parts import Parts, split_url


def test_each_part_is_raw() -> None:
    """Nothing is decoded or normalised; a trailing slash is no segment."""
    parts = split_url("https://a.example/x/%41//y/?q=1&q&r=#top")
    assert parts == Parts("https", "a.example", ("x", "%41", "", "y"), slash=True, query="q=1&q&r=", fragment="top")
    assert parts.parameters == (("q", "1"), ("q", None), ("r", ""))


def test_other_schemes_are_refused() -> None:
    """Only absolute http and https URLs have parts."""
    assert [split_url(url) for url in ("/x/1", "ftp://a.example/", "HTTP://a.example/", "mailto:a@b.example")] == [
        None
    ] * 4


@given(st.from_regex(r"https?://[a-z.]+(/[a-z%]*){0,4}(\?[a-z=&]*)?(#[a-z/]*)?", fullmatch=True))
def test_parts_make_the_url_again(url: str) -> None:
    """Written out again, the parts are the URL."""
    assert str(split_url(url)) == url
