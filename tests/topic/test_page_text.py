"""Title and text of a page, and the words around its links."""

from __future__ import annotations

from picspider.topic.page_text import LinkText, link_texts, main_text, page_text

HTML = """<html><head><title> Orchids  of
China </title><style>p {color: red}</style></head><body>
<nav><a href="/home">Home</a></nav>
<h1>Orchids</h1><p>A family of <b>flowers</b>.<script>var orchid = 1</script></p>
<ul><li>See <a href="lilies.html">lilies</a> too</li><li><a href="p.html"><img alt="A pansy" src="p.jpg"></a></li></ul>
<a name="here">anchor</a><footer>Imprint</footer></body></html>"""


def test_title_and_text_without_markup_scripts_and_navigation() -> None:
    """What a reader of the page reads, on one line."""
    page = page_text(HTML, "https://flowers.example/")
    assert page.url == "https://flowers.example/"
    assert page.title == "Orchids of China"
    assert page.text == "Orchids A family of flowers . See lilies too anchor"


def test_the_heading_stands_in_for_a_missing_title() -> None:
    """Without a title the first h1 is the title."""
    assert page_text("<h1>Orchids</h1>", "").title == "Orchids"


def test_links_come_with_the_text_around_them() -> None:
    """In document order, as written, without scripts; a picture's alt text stands in for missing text."""
    assert list(link_texts(HTML)) == [
        LinkText("/home", "Home", ""),
        LinkText("lilies.html", "lilies", "See lilies too A family of flowers ."),
        LinkText("p.html", "A pansy", "A family of flowers ."),
    ]


def test_broken_html_gives_what_can_be_read() -> None:
    """Empty and unclosed markup raise nothing."""
    assert page_text("", "").text == ""
    assert page_text("<p>open <b>ended", "").text == "open ended"
    assert list(link_texts("<a href='x'>y")) == [LinkText("x", "y", "")]


def test_main_text_reads_something_of_every_page() -> None:
    """With or without trafilatura, the text of the page is in it."""
    assert "family of" in main_text(HTML, "https://flowers.example/")
