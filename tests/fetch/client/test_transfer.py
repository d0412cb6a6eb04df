from __future__ import annotations

import gzip
from contextlib import suppress

import pytest
from scrapy import Request

from picspider.errors import Failed
from picspider.fetch.client.early_stop import HEAD_BYTES
from picspider.fetch.client.transfer import Enough, Transfer

PAGE = b"<p>no</p>" * 100


def arrived(status: int, headers: dict[bytes, bytes], *chunks: bytes, limit: int = 10_000) -> Transfer:
    """A transfer after its head and *chunks*."""
    transfer = Transfer(Request("http://h/"), limit, None)
    transfer.head(status, list(headers.items()), "127.0.0.1")
    for chunk in chunks:
        transfer.data(chunk)
    return transfer


def test_error_pages_are_decoded() -> None:
    """The page of an error can be read like any other, and its headers no longer speak of a coding."""
    transfer = arrived(404, {b"Content-Encoding": b"gzip", b"Content-Type": b"text/html"}, gzip.compress(PAGE))
    assert transfer.body() == PAGE
    assert [name for name, _ in transfer.decoded_headers()] == [b"Content-Type"]


@pytest.mark.parametrize("coding", [b"gzip", b"unheard-of"])
def test_an_error_is_told_whatever_its_page_is_like(coding: bytes) -> None:
    """A broken or strange coding does not hide the status."""
    transfer = arrived(503, {b"Content-Encoding": coding})
    with suppress(Enough):
        transfer.data(b"nonsense")
    transfer.body()
    assert transfer.status == 503


def test_length_of_an_error_page_is_no_matter() -> None:
    """A short or large error page is still that error."""
    assert arrived(404, {b"Content-Length": b"999999"}, b"short").body() == b"short"


def test_whole_range() -> None:
    """A 206 that brings everything is as good as a 200; one that brings a part is not."""
    assert arrived(206, {b"Content-Range": b"bytes 0-3/4"}, b"abcd").body() == b"abcd"
    for part in (b"bytes 0-3/9", b"bytes 4-8/9", b"bytes */9", b""):
        with pytest.raises(Failed) as info:
            arrived(206, {b"Content-Range": part})
        assert info.value.reason == "truncated"


def test_the_judge_is_asked_once_and_only_while_there_is_something_to_stop() -> None:
    """One look at the first KiB; none at a body that has come whole, or at an error page."""
    looks: list[tuple[int, int | None]] = []

    def judge(_request: Request, head: bytes, declared: int | None) -> None:
        looks.append((len(head), declared))

    for status, chunks in ((200, 3), (200, 1), (404, 3)):
        transfer = Transfer(Request("http://h/"), 0, judge)
        transfer.head(status, [(b"content-length", b"%d" % (600 * chunks))], None)
        for _ in range(chunks):
            transfer.data(bytes(600))
        assert len(transfer.body()) == 600 * chunks
    assert looks == [(1200, 1800)]
    assert looks[0][0] >= HEAD_BYTES


def test_no_content() -> None:
    """An answer without content is not cut short, whatever length it announces."""
    assert arrived(204, {b"Content-Length": b"5"}).body() == b""
    assert arrived(304, {b"Content-Length": b"5"}).body() == b""
