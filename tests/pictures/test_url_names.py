from __future__ import annotations

import pytest

from picspider.pictures.url_names import page_name


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://a.example/album/1", "1"),
        ("http://a.example/album/1/", "1"),
        ("http://a.example/album/St.%20Moritz/", "St. Moritz"),
        ("http://a.example/album/the%20sea.html?x=/y.z", "the sea"),
        ("http://a.example/v1.2/index.php", "index"),
        ("http://a.example/.hidden", ".hidden"),
        ("http://a.example:81/", "a.example:81"),
        ("", ""),
    ],
)
def test_page_name(url: str, name: str) -> None:
    """The last part of the path without a page's extension, a dot in it kept; else the host."""
    assert page_name(url) == name
