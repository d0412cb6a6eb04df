from __future__ import annotations

import pytest

from picspider.links.page import Page
from picspider.strategy.large_pictures import large_pictures


def found(html: str) -> list[str]:
    """The paths of what is taken from a page with *html*."""
    page = Page("https://site.example/page/", f"<!doctype html><body>{html}</body>".encode())
    return [link.url.removeprefix("https://site.example") for link in large_pictures(page)]


@pytest.mark.parametrize(
    ("html", "paths"),
    [
        ('<img src="/a.jpg">', ["/a.jpg"]),
        ('<img src="/pixel.gif" data-src="/lazy.webp">', ["/lazy.webp"]),
        ('<img src="/s.jpg" srcset="/m.jpg 800w, /l.jpg 1600w">', ["/l.jpg"]),
        ('<a href="/large.jpg"><img src="/thumb.jpg"></a>', ["/large.jpg"]),
        ('<a href="/photo.html"><img src="/thumb.jpg"></a>', ["/thumb.jpg"]),
        ('<a href="/large.PNG?size=full">large</a>', ["/large.PNG?size=full"]),
        ('<a href="/page.html">page</a><a href="/paper.pdf">paper</a>', []),
        ('<img src="/a.jpg"><p>text</p><img src="/a.jpg">', ["/a.jpg"]),
        ('<img src="/image.php?id=3" width="640" height="480">', ["/image.php?id=3"]),
    ],
)
def test_pictures_that_are_taken(html: str, paths: list[str]) -> None:
    """Pictures shown, the largest of their sizes, and picture files that are linked; each once."""
    assert found(html) == paths


@pytest.mark.parametrize(
    "html",
    [
        '<img src="/a.png" width="16" height="16">',
        '<img src="/a.png" width=" 32px">',
        '<img src="/icons/home.png">',
        '<img src="/theme/logo.png">',
        '<img src="/sprite.png">',
        '<img src="/drawing.svg">',
        '<link rel="icon" href="/favicon.ico">',
        '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">',
    ],
)
def test_icons_are_left_alone(html: str) -> None:
    """What is shown small, or called icon, logo or sprite, is no picture of the page."""
    assert found(html) == []


@pytest.mark.parametrize("path", ["/pixel-art/1.png", "/logotypes/1.png", "/iconic/1.jpg", "/a/silicon.jpg"])
def test_names_that_only_look_like_icons(path: str) -> None:
    """Only whole words count."""
    assert found(f'<img src="{path}">') == [path]
