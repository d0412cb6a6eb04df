"""What a server's answer is to a crawl: a page that can be read, or why it is none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from picspider.errors import Failed
from picspider.links.page import Page

if TYPE_CHECKING:
    from scrapy.http import Response

PAGE_STATUSES = (200, 203)
# BM alone would take a page about BMW for a bitmap.
BINARY_HEAD = re.compile(
    rb"\xff\xd8\xff|\x89PNG|GIF8[79]a|RIFF....WEBP|BM.{4}\0|II\*\0|MM\0\*|PK\x03\x04|%PDF-", re.DOTALL
)


def page_of(response: Response) -> Page:
    """The page in *response*, with the charset its headers state."""
    content_type = response.headers.get(b"Content-Type", b"") or b""
    return Page(response.url, response.body, content_type=content_type.decode("latin-1"))


def page_trouble(response: Response) -> Failed | None:
    """Why *response* is no page that can be read; None when it is one."""
    if response.status not in PAGE_STATUSES:
        return Failed("http", f"the server answered with status {response.status}", status=response.status)
    body = response.body
    if not body.strip():
        return Failed("empty", "the server sent an empty page", status=response.status)
    if BINARY_HEAD.match(body) or b"\x00\x00\x00" in body[:512]:
        return Failed("not-a-page", "a picture or another binary file came instead of a page", status=response.status)
    return None
