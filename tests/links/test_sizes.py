from __future__ import annotations

import pytest

from picspider.links.page import Page
from picspider.links.sizes import largest


@pytest.mark.parametrize(
    ("html", "chosen"),
    [
        ("<img src=/s.jpg srcset='/m.jpg 400w, /l.jpg 1600w'>", ["/l.jpg"]),
        ("<img src=/s.jpg srcset='/m.jpg 1x, /l.jpg 2x'>", ["/l.jpg"]),
        ("<a href=/full.jpg><img src=/s.jpg srcset='/m.jpg 400w'></a>", ["/full.jpg"]),
        ("<img src=/low.jpg data-src=/real.jpg>", ["/real.jpg"]),
        ("<img src=/1.jpg><img src=/2.jpg>", ["/1.jpg", "/2.jpg"]),
        ("<picture><source srcset=/1.webp><img src=/1.jpg></picture>", ["/1.webp", "/1.jpg"]),
        ("<a href=/x><img src=/1.jpg><img src=/2.jpg></a>", ["/x", "/1.jpg", "/2.jpg"]),
        ("<script>a=['/1.jpg','/2.jpg']</script>", ["/1.jpg", "/2.jpg"]),
    ],
)
def test_the_largest_size_of_each_picture(html: str, chosen: list[str]) -> None:
    """Of the sizes of one picture one stays; different pictures all stay."""
    links = Page("http://h/", html.encode()).links()
    kept, aside = largest(links)
    assert [link.url.removeprefix("http://h") for link in kept] == chosen
    assert len(kept) + len(aside) == len(links)
