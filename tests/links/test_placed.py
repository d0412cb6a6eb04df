from __future__ import annotations

from picspider.links.page import Page


def test_links_with_their_places() -> None:
    """Every link comes with its element's tag and the elements around it, ids and classes included."""
    body = b'<base href="/b/"><ul id=main class="x y"><li><a href=1.html><img src=t.jpg></a></ul>'
    placed = Page("https://a.example/", body).placed()
    assert [(link.url, tag, place[2:]) for link, tag, place in placed] == [
        ("https://a.example/b/1.html", "a", ("ul#main.x.y", "li", "a")),
        ("https://a.example/b/t.jpg", "img", ("ul#main.x.y", "li", "a", "img")),
    ]


def test_documents_without_places() -> None:
    """The links of JSON have no place."""
    placed = Page("https://a.example/", b'["/1.jpg"]', content_type="application/json").placed()
    assert [(link.url, tag, place) for link, tag, place in placed] == [("https://a.example/1.jpg", "", ())]
