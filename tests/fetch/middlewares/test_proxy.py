from __future__ import annotations

import asyncio

import pytest

from picspider.errors import ConfigError, Failed
from tests.fetch.servers import Writer, header, reply, serving
from tests.fetch.site import Crawl, Engines


def test_everything_goes_through_the_proxy(crawl: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    """The proxy gets the whole URL and its password; the site's server is not asked and not resolved."""

    async def test(engine: Engines) -> None:
        async def answer(head: bytes, writer: Writer) -> None:
            writer.write(reply(b"by proxy"))

        async with serving(answer) as proxy:
            mine = engine(
                PICSPIDER_PROXY=f"http://me:p%40ss@{proxy.key}",
                PICSPIDER_ALLOW_PRIVATE_ADDRESSES=False,
                PICSPIDER_ALLOWED_ADDRESSES=[],
            )
            for _ in range(2):
                assert (await mine.get("http://no-such-host.invalid/a%2Fb?c=1")).body == b"by proxy"
            assert proxy.heads[0].startswith(b"GET http://no-such-host.invalid/a%2Fb?c=1 HTTP/1.1\r\n")
            assert header(proxy.heads[0], "Proxy-Authorization") == "Basic bWU6cEBzcw=="

    crawl(test)


def test_private_addresses_are_not_asked_of_a_proxy(crawl: Crawl) -> None:
    """Behind a proxy, too, an address that is written out is judged."""

    async def test(engine: Engines) -> None:
        async def answer(head: bytes, writer: Writer) -> None:
            writer.write(reply(b"by proxy"))

        async with serving(answer) as proxy:
            mine = engine(
                PICSPIDER_PROXY=proxy.url, PICSPIDER_ALLOW_PRIVATE_ADDRESSES=False, PICSPIDER_ALLOWED_ADDRESSES=[]
            )
            with pytest.raises(Failed) as info:
                await mine.get("http://169.254.169.254/latest/")
            assert info.value.reason == "forbidden-address"
            assert not proxy.heads

    crawl(test)


def test_a_proxy_that_refuses(crawl: Crawl) -> None:
    """A tunnel that the proxy does not open is a connection failure."""

    async def test(engine: Engines) -> None:
        async def answer(head: bytes, writer: Writer) -> None:
            writer.write(reply(b"", "407 Proxy Authentication Required"))

        async with serving(answer) as proxy:
            with pytest.raises(Failed) as info:
                await engine(PICSPIDER_PROXY=proxy.url, RETRY_TIMES=0).get("https://example.org/")
            assert info.value.reason == "connection"
            assert proxy.heads[0].startswith(b"CONNECT example.org:443 ")

    crawl(test)


def test_the_environments_proxies(crawl: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without one in the config the usual variables count, with their exceptions."""

    async def test(engine: Engines) -> None:
        async def answer(head: bytes, writer: Writer) -> None:
            writer.write(reply(b"by proxy" if b"GET http" in head else b"direct"))

        async with serving(answer) as proxy:
            monkeypatch.setenv("http_proxy", proxy.url)
            monkeypatch.setenv("no_proxy", "127.0.0.1")
            mine = engine()
            assert (await mine.get("http://no-such-host.invalid/")).body == b"by proxy"
            assert (await mine.get(proxy.url)).body == b"direct"

    crawl(test)


def test_other_kinds_are_refused(crawl: Crawl) -> None:
    """A proxy that no client here can talk to stops the run with a message."""

    async def test(engine: Engines) -> None:
        await asyncio.sleep(0)
        with pytest.raises(ConfigError, match=r"fetch\.proxy"):
            engine(PICSPIDER_PROXY="socks5://127.0.0.1:1080")

    crawl(test)
