from __future__ import annotations

import pytest

from picspider.errors import Failed
from picspider.fetch.origin import split
from picspider.urls import host_key


@pytest.mark.parametrize(
    ("url", "netloc", "key", "target"),
    [
        ("http://Example.org", "example.org", "example.org:80", "/"),
        ("https://example.org:443/a?b#c", "example.org", "example.org:443", "/a?b"),
        ("http://example.org:8080?b=/x", "example.org:8080", "example.org:8080", "/?b=/x"),
        ("http://u:p@example.org/a//b", "example.org", "example.org:80", "/a//b"),
        ("http://[::1]:81/", "[::1]:81", "[::1]:81", "/"),
        ("http://b\u00fccher.example/", "xn--bcher-kva.example", "xn--bcher-kva.example:80", "/"),
        ("http://example.org:0080/", "example.org", "example.org:80", "/"),
    ],
)
def test_split(url: str, netloc: str, key: str, target: str) -> None:
    """Host, port and target are as the request needs them, and the key is that of urls.host_key."""
    server, found = split(url)
    assert (server.netloc, server.key, found) == (netloc, key, target)
    assert host_key(url) == key


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://h/", "scheme"),
        ("file:///x", "scheme"),
        ("http:///x", "bad-url"),
        ("http://h:99999/", "bad-url"),
        ("http://h:x/", "bad-url"),
        ("http://xn--a.\u00fc/", "bad-url"),
    ],
)
def test_unusable(url: str, reason: str) -> None:
    """What cannot be connected to is refused with its reason."""
    with pytest.raises(Failed) as info:
        split(url)
    assert info.value.reason == reason
