"""The text around a link."""

from __future__ import annotations

from time import perf_counter

from picspider.topic import link_texts
from picspider.topic.surroundings import CONTEXT_CHARACTERS


def contexts(html: str) -> list[str]:
    """The context of each link of *html*."""
    return [link.context for link in link_texts(html)]


def test_the_block_around_the_link() -> None:
    """A link in running text has the sentence, one in navigation has nothing."""
    assert contexts("<nav><a href=a>Home</a></nav><p>See <a href=b>lilies</a> too</p>") == ["", "See lilies too"]


def test_of_a_long_block_the_part_around_the_link_is_taken() -> None:
    """Words next to the link count, those at the far ends of the paragraph do not."""
    (context,) = contexts(f"<p>start {'x ' * 400} rare <a href='o.html'>orchids</a> bloom {'y ' * 400} end</p>")
    assert "rare orchids bloom" in context
    assert len(context) <= CONTEXT_CHARACTERS


def test_nested_lists_carry_their_chapters() -> None:
    """In a table of contents a section has the chapter and the part that it belongs to."""
    toc = "<ul><li><a href=1>Flowers</a><ul><li><a href=2>Orchids</a><ol><li><a href=3>Roots</a></ol></ul></ul>"
    assert contexts(toc)[2] == "Roots Orchids Flowers"


def test_definition_lists_carry_their_terms() -> None:
    """DocBook writes the sections of a chapter as the definition of its title."""
    toc = "<p>Contents</p><dl><dt><a href=1>Flowers</a></dt><dd><dl><dt><a href=2>Orchids</a></dt></dl></dd></dl>"
    assert contexts(toc) == ["Flowers Contents", "Orchids Flowers Contents"]


def test_a_list_under_a_heading_carries_it() -> None:
    """Also when the list is wrapped, and only the first list after the heading."""
    lists = "<ul><li><a href=1>Roots</a></ul><ul><li><a href=2>Imprint</a></ul>"
    assert contexts(f"<section><h2>Orchids</h2><div>{lists}</div></section>") == ["Roots Orchids", "Imprint"]


def test_many_links_and_deep_nesting_take_linear_time() -> None:
    """Neither 5,000 links in one block nor 2,000 nested lists are read again and again; nothing recurses."""
    started = perf_counter()
    many = "<div>" + "".join(f"<a href='{n}.html'>orchid {n}</a> " for n in range(5000)) + "</div>"
    assert len(contexts(many)) == 5000
    (deep,) = contexts("<ul><li>x" * 2000 + "<a href=y>z</a>")
    assert len(deep) <= 2 * CONTEXT_CHARACTERS
    assert perf_counter() - started < 5
