from __future__ import annotations

import pytest
from scrapy.http import Response

from picspider.answers import page_of, page_trouble


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (b"<p>BMW", 200, None),
        (b"BM is how a page about cars begins", 203, None),
        (b"<p>", 206, "http"),
        (b" \n", 200, "empty"),
        (b"GIF89a" + bytes(20), 200, "not-a-page"),
        (b"%PDF-1.7", 200, "not-a-page"),
        (b"<p>" + bytes(4), 200, "not-a-page"),
    ],
)
def test_trouble(body: bytes, status: int, reason: str | None) -> None:
    """A page is what came whole with 200 or 203, is not empty, and is not binary."""
    trouble = page_trouble(Response("http://h.example/", status=status, body=body))
    assert (trouble.reason if trouble is not None else None) == reason


def test_charset_of_the_headers() -> None:
    """The page is read with the charset that its headers state."""
    headers = {"Content-Type": "text/html; charset=iso-8859-1"}
    assert page_of(Response("http://h.example/", headers=headers, body=b"<p>\xe9")).text == "<p>é"
