from __future__ import annotations

import pytest
from scrapy import Request

from picspider.errors import Failed
from picspider.fetch.addresses import AddressPolicy
from picspider.fetch.hosts import EntryHosts, HostList
from picspider.fetch.middlewares.guard import Guard
from picspider.visit import Note, attach
from tests.fetch.servers import fixed, moved, reply, routes, serving
from tests.fetch.site import Crawl, Engines


def verdict(guard: Guard, url: str) -> str | None:
    """The reason why *guard* refuses *url*; None: it does not."""
    try:
        guard.process_request(attach(Request(url, meta={"verbatim_url": True}), Note()))
    except Failed as failed:
        return failed.reason
    return None


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://example.org/", None),
        ("https://img.example.org:8443/", None),
        ("http://other.example:8080/", None),
        ("http://other.example/", "offsite"),
        ("http://img.xn--bcher-kva.example/", None),
        ("http://notexample.org/", "offsite"),
        ("http://example.org.evil/", "offsite"),
        ("ftp://example.org/", "scheme"),
        ("file:///etc/passwd", "scheme"),
    ],
)
def test_hosts_and_schemes(url: str, reason: str | None) -> None:
    """Only listed hosts and what is below them, and only http and https."""
    guard = Guard(
        HostList(["example.org", "other.example:8080", "b\u00fccher.example"]), AddressPolicy(allow_private=True)
    )
    assert verdict(guard, url) == reason
    assert verdict(guard, url) == reason


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "10.1.2.3",
        "192.168.0.1",
        "169.254.169.254",
        "[::1]",
        "[fd00:ec2::254]",
        "localhost",
        "[::ffff:7f00:1]",
        "0.0.0.0",
        "100.64.0.1",
    ],
)
def test_private_addresses_written_out(host: str) -> None:
    """An address that is not public is refused before anything is sent."""
    assert verdict(Guard(None, AddressPolicy()), f"http://{host}/") == "forbidden-address"
    assert verdict(Guard(None, AddressPolicy(allow_private=True)), f"http://{host}/") is None


def test_only_the_entrys_own_private_address(crawl: Crawl) -> None:
    """From an entry on loopback its own address is reached, and no other, by link, redirect or name."""

    async def test(engine: Engines) -> None:
        async with serving(fixed(reply(b"secret")), host="127.0.0.2") as inner:
            pages = {"/": reply(b"ok"), "/r": moved(inner.url), "/n": moved("http://[::1]:9/")}
            async with serving(routes(pages)) as server:
                mine = engine(
                    PICSPIDER_ALLOW_PRIVATE_ADDRESSES=False, PICSPIDER_ALLOWED_ADDRESSES=[server.host], RETRY_TIMES=0
                )
                assert (await mine.get(server.url)).body == b"ok"
                for url in (inner.url, f"{server.url}r", f"{server.url}n", "http://169.254.169.254/"):
                    with pytest.raises(Failed) as info:
                        await mine.get(url)
                    assert info.value.reason == "forbidden-address"
                assert not inner.heads

    crawl(test)


def test_entry_hosts() -> None:
    """The https of an entry on port 80 is the entry too; other ports and hosts are not."""
    hosts = EntryHosts(["Example.org:80", "x:8080"])
    assert "example.org:80" in hosts
    assert "example.org:443" in hosts
    assert "x:443" not in hosts
