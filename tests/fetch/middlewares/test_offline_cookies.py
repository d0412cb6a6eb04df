from __future__ import annotations

import inspect
import socket

import pytest
import scrapy
from scrapy import Request
from scrapy.downloadermiddlewares.cookies import CookiesMiddleware
from scrapy.http import Response

from picspider.fetch.middlewares.cookies import Cookies


def test_scrapy_version_and_the_private_part_replaced() -> None:
    """What is replaced is that of Scrapy 2.19; look at a newer one first."""
    assert scrapy.__version__.startswith("2.19."), "look at offline_cookies.py again"
    source = inspect.getsource(CookiesMiddleware._process_cookies)
    assert "if cookie_domain and _is_public_domain(cookie_domain):" in source
    assert "jar.set_cookie_if_ok(cookie, request)" in source


@pytest.mark.parametrize(
    ("host", "domain", "sent_to", "sent"),
    [
        ("www.a.example", "a.example", "img.a.example", [b"s=1"]),
        ("me.github.io", "github.io", "you.github.io", []),
        ("a.co.uk", "co.uk", "b.co.uk", []),
        ("github.io", "github.io", "github.io", [b"s=1"]),
    ],
)
def test_public_suffixes_are_known_without_the_net(
    host: str, domain: str, sent_to: str, sent: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cookies for what strangers share are not taken, and nobody is asked over the net what that is."""

    def nobody(*_: object, **__: object) -> None:
        raise AssertionError("the net was asked")

    monkeypatch.setattr(socket, "getaddrinfo", nobody)
    cookies = Cookies()
    asked = Request(f"http://{host}/")
    answer = Response(asked.url, headers={"Set-Cookie": f"s=1; Domain={domain}; Path=/"}, request=asked)
    cookies.process_response(asked, answer)
    request = Request(f"http://{sent_to}/x.jpg")
    cookies.process_request(request)
    assert request.headers.getlist(b"Cookie") == sent
