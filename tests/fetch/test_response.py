from __future__ import annotations

import pickle

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, JsonResponse, Response, TextResponse, XmlResponse

from picspider.fetch.client.transfer import Transfer
from picspider.fetch.response import build_response, sets_cookie


def made(content_type: bytes | None, body: bytes = b"x", url: str = "http://h/x", **more: bytes) -> Response:
    """The response to an answer with these headers."""
    headers = [(b"content-type", content_type)] if content_type is not None else []
    headers += [(name.replace("_", "-").encode(), value) for name, value in more.items()]
    transfer = Transfer(Request(url), 0, None)
    transfer.head(200, headers, "::1")
    return build_response(url, transfer, body)


@pytest.mark.parametrize(
    ("content_type", "body", "kind"),
    [
        (b"text/html; charset=utf-8", b"", HtmlResponse),
        (b"application/xhtml+xml", b"", HtmlResponse),
        (b"application/rss+xml", b"", XmlResponse),
        (b"application/json", b"{}", JsonResponse),
        (b"text/plain", b"", TextResponse),
        (None, b"<!doctype html><p>x", HtmlResponse),
    ],
)
def test_kinds_of_text(content_type: bytes | None, body: bytes, kind: type[Response]) -> None:
    """Text is of the class that Scrapy would choose."""
    assert isinstance(made(content_type, body), kind)


@pytest.mark.parametrize(
    ("content_type", "body"), [(b"image/jpeg", b"<html>"), (b"odd", b"\xff\xd8\xff"), (None, b"\xff\xd8\xff\0")]
)
def test_pictures_are_no_text(content_type: bytes | None, body: bytes) -> None:
    """Pictures are plain responses."""
    assert not isinstance(made(content_type, body), TextResponse)


def test_headers_are_scrapys() -> None:
    """Made on first use, they are the mutable, case-insensitive headers that everybody knows."""
    response = made(b"text/html; charset=gbk", "中".encode("gbk"), x_a=b"1")
    assert response.headers["X-A"] == b"1"
    assert response.text == "中"
    response.headers["X-A"] = "2"
    assert response.headers.getlist("x-a") == [b"2"]
    copy = response.replace(url="http://h/y")
    assert copy.headers["X-A"] == b"2"
    assert copy.headers is not response.headers
    response.headers = None
    assert not response.headers or b"X-A" in response.headers


def test_many_values_of_one_name() -> None:
    """Headers that come twice keep both values."""
    transfer = Transfer(Request("http://h/"), 0, None)
    transfer.head(200, [(b"Set-Cookie", b"a=1"), (b"set-cookie", b"b=2")], None)
    response = build_response("http://h/", transfer, b"")
    assert response.headers.getlist("Set-Cookie") == [b"a=1", b"b=2"]
    assert sets_cookie(response)
    assert response.ip_address is None


def test_cookie_is_seen_without_headers() -> None:
    """Also on responses that somebody else made."""
    assert not sets_cookie(made(b"image/png"))
    assert sets_cookie(Response("http://h/", headers={"Set-Cookie": "a=1"}))
    assert not sets_cookie(Response("http://h/"))


def test_other_peoples_tools() -> None:
    """It can be turned into a dict and back, and copied."""
    response = made(b"image/png", b"abc")
    again = type(response).from_dict(response.to_dict())
    assert (again.body, again.headers[b"Content-Type"]) == (b"abc", b"image/png")
    assert response.copy().body == b"abc"
    assert pickle.dumps(response.headers)
