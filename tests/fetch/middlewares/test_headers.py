from __future__ import annotations

from typing import Any

import pytest
from scrapy import Request
from scrapy.http import Headers
from scrapy.settings import Settings

from picspider.config.load import load_config
from picspider.fetch import MIDDLEWARES
from picspider.fetch.hosts import EntryHosts
from picspider.fetch.middlewares.headers import RequestHeaders
from picspider.settings_bridge import apply_settings, output_folder
from picspider.visit import Note, attach
from tests.fetch.servers import fixed, header, reply, serving
from tests.fetch.site import Crawl, Engines


def sent(
    url: str = "http://h/p.jpg",
    note: Note | None = None,
    own: dict[str, str] | None = None,
    **options: Any,  # the middleware's own
) -> Headers:
    """The headers of a request for *url* after the middleware."""
    options.setdefault("headers", {})
    middleware = RequestHeaders(**options, entry_hosts=EntryHosts(["h:80"]))
    request = attach(Request(url, headers=own), note or Note(kind="picture", parent_url="http://h/a/b?c=1#d"))
    middleware.process_request(request)
    return request.headers


def test_pages_and_pictures_are_asked_for_as_a_browser_does() -> None:
    """Pages want HTML first, pictures want pictures; both take every coding."""
    assert sent(note=Note(kind="page"))[b"Accept"].startswith(b"text/html")
    assert b"image/*" in sent()[b"Accept"]
    assert sent()[b"Accept-Encoding"] == b"gzip, deflate, br, zstd"


@pytest.mark.parametrize(
    ("referer", "parent", "url", "expected"),
    [
        ("parent", "http://h/a/b?c=1", "http://h/p.jpg", b"http://h/a/b?c=1"),
        ("parent", "http://u:p@h/a#d", "http://cdn/p.jpg", b"http://h/a"),
        ("parent", "https://h/a", "http://cdn/p.jpg", None),
        ("parent", "https://h/a", "https://cdn/p.jpg", b"https://h/a"),
        ("parent", None, "http://h/p.jpg", None),
        ("origin", "http://h/a/b?c=1", "http://h/p.jpg", b"http://h/"),
        ("none", "http://h/a", "http://h/p.jpg", None),
        ("http://other/", "http://h/a", "http://h/p.jpg", b"http://other/"),
        ("http://other/", None, "http://h/p.jpg", b"http://other/"),
    ],
)
def test_referer(referer: str, parent: str | None, url: str, expected: bytes | None) -> None:
    """The Referer follows the config's rule, without fragment and password, and never from https to http."""
    assert sent(url, Note(kind="picture", parent_url=parent), referer=referer).get(b"Referer") == expected


def test_what_is_set_stays() -> None:
    """Headers that somebody set before are left alone."""
    headers = sent(own={"Accept": "x/y", "Referer": "http://mine/"})
    assert headers[b"Accept"] == b"x/y"
    assert headers[b"Referer"] == b"http://mine/"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://h/", b"Basic dTpww6Q="),
        ("https://h/", b"Basic dTpww6Q="),
        ("http://h:81/", None),
        ("http://x.h/", None),
    ],
)
def test_auth_is_for_the_entry_only(url: str, expected: bytes | None) -> None:
    """User and password go to the entry's server and its https, nowhere else."""
    assert sent(url, auth=("u", "pä")).get(b"Authorization") == expected


@pytest.mark.parametrize("host", ["b\u00fccher.example", "xn--bcher-kva.example", "B\u00dcCHER.example"])
def test_secrets_reach_an_entry_in_any_script(crawl: Crawl, host: str) -> None:
    """Password, own headers and cookies arrive at the entry's host, however the config spells it."""

    async def test(engine: Engines) -> None:
        async with serving(fixed(reply(b"x"))) as proxy:
            config = load_config(
                f"entry: http://{host}/\nlayers: [x]\nfetch:\n  auth: {{user: u, password: p}}\n  cookies: {{s: '1'}}\n"
                f"  headers: {{X-Key: k}}\n  proxy: {proxy.url}\n  allowed_hosts: ['{host}']\n"
            )
            settings = Settings()
            apply_settings(settings, config, output_folder(config), (), MIDDLEWARES)
            mine = engine(**{name: settings[name] for name in settings if name.startswith("PICSPIDER_")})
            await mine.get(config.entry[0])
            await mine.get("http://xn--bcher-kva.example/p.jpg")
            for head in proxy.heads:
                assert header(head, "Host") == "xn--bcher-kva.example"
                assert header(head, "Authorization") == "Basic dTpw"
                assert header(head, "X-Key") == "k"
                assert header(head, "Cookie") == "s=1"

    crawl(test)


def test_config_headers() -> None:
    """Headers of the config override ours; only harmless ones go to other hosts."""
    own = {"accept-language": "de", "X-Key": "secret", "Cookie": "a=1"}
    here, there = sent(headers=own), sent("http://cdn/p.jpg", headers=own)
    assert here[b"Accept-Language"] == there[b"Accept-Language"] == b"de"
    assert here[b"X-Key"] == b"secret"
    assert here[b"Cookie"] == b"a=1"
    assert b"X-Key" not in there
    assert b"Cookie" not in there


def test_lists_are_not_shared() -> None:
    """A middleware that appends to a header changes one request only."""
    middleware = RequestHeaders(headers={}, entry_hosts=EntryHosts([]))
    first, second = Request("http://h/"), Request("http://h/")
    for request in (first, second):
        middleware.process_request(request)
    first.headers.appendlist("Accept", "x/y")
    assert second.headers.getlist("Accept") != first.headers.getlist("Accept")
