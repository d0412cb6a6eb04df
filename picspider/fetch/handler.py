"""The download handler for http and https: where limits, early stop, address check and verification meet."""

from __future__ import annotations

import base64
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit
from weakref import WeakKeyDictionary

from picspider.errors import Failed
from picspider.fetch.addresses import AddressPolicy
from picspider.fetch.classify import classify
from picspider.fetch.client.client import Call, Client, RawHeaders
from picspider.fetch.client.direct_client import DirectClient
from picspider.fetch.client.early_stop import judge_of, set_judge
from picspider.fetch.client.resolver import Resolver
from picspider.fetch.client.tls import tls_context
from picspider.fetch.client.transfer import Enough, Transfer
from picspider.fetch.response import build_response
from picspider.visit import note_of

if TYPE_CHECKING:
    import ssl

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

_NOT_SENT = {b"Proxy-Authorization", b"Host", b"Connection", b"Content-Length", b"Transfer-Encoding"}


class Transport:
    """The clients of one crawl, shared by the handlers of http and https; each is made on its first use."""

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self._settings = settings
        self.resolver = Resolver(AddressPolicy.from_settings(settings))
        self._tls: ssl.SSLContext | None = None
        self._direct: Client | None = None
        self._general: Client | None = None

    def client(self, call: Call) -> Client:
        """The client that can make *call*."""
        if call.proxy is None and call.method == "GET" and not call.body:
            if self._direct is None:
                self._direct = DirectClient(self.resolver, self.tls)
            return self._direct
        return self.general_client()

    def general_client(self) -> Client:
        """The client that can make any call."""
        if self._general is None:
            from picspider.fetch.client.aiohttp_client import AiohttpClient  # noqa: PLC0415  # costs 0.1 s to import

            self._general = AiohttpClient(self.resolver, self.tls)
        return self._general

    def tls(self) -> ssl.SSLContext:
        """The TLS context of the crawl."""
        if self._tls is None:
            self._tls = tls_context(self._settings)
        return self._tls

    async def close(self) -> None:
        """Close the clients."""
        clients, self._direct, self._general = (self._direct, self._general), None, None
        for client in clients:
            if client is not None:
                await client.close()


_transports: WeakKeyDictionary[Crawler, Transport] = WeakKeyDictionary()


class PictureHandler:
    """Downloads http and https URLs. Every error it raises is a `Failed`, or what the judge of early_stop raised."""

    lazy = True

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self._crawler = crawler
        self._transport = _transports.setdefault(crawler, Transport(crawler))
        self._limit_bytes: int = settings.getint("DOWNLOAD_MAXSIZE")
        self._timeout_seconds: float = settings.getfloat("DOWNLOAD_TIMEOUT")
        self._auth_encoding: str = settings.get("HTTPPROXY_AUTH_ENCODING", "latin-1")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> PictureHandler:
        """As Scrapy builds its components."""
        return cls(crawler)

    async def download_request(self, request: Request) -> Response:
        """The response to *request*. Raises Failed."""
        meta = request.meta
        limit = meta.get("download_maxsize", self._limit_bytes)
        transfer = Transfer(request, limit, judge_of(self._crawler))
        call = self._call(request)
        start = monotonic()
        try:
            await self._transport.client(call).fetch(call, transfer)
        except Enough:
            pass
        except Exception as error:
            raise _told(error, transfer) from error
        meta["download_latency"] = monotonic() - start
        body = transfer.body()
        if not body and transfer.status == 200 and request.method == "GET" and note_of(request) is not None:
            raise Failed("empty", "the answer has no content", status=200)
        return build_response(request.url, transfer, body)

    async def close(self) -> None:
        """Close the connections of the crawl, and let go of the judge, who may hold the crawler."""
        set_judge(self._crawler, None)
        await self._transport.close()

    def _call(self, request: Request) -> Call:
        # dict's own items: Scrapy's would copy each value.
        stored: dict[bytes, list[bytes]] = request.headers
        headers: RawHeaders = [
            (name, value) for name, values in dict.items(stored) if name not in _NOT_SENT for value in values
        ]
        proxy = request.meta.get("proxy")
        return Call(
            url=request.url,
            headers=headers,
            timeout_seconds=request.meta.get("download_timeout") or self._timeout_seconds,
            method=request.method,
            body=request.body,
            proxy=self._with_credentials(proxy, request) if proxy else None,
        )

    def _with_credentials(self, proxy: str, request: Request) -> str:
        # HttpProxyMiddleware takes the user and password out of the URL and puts them into a header.
        if "://" not in proxy:
            proxy = "http://" + proxy
        kind, _, token = (request.headers.get(b"Proxy-Authorization") or b"").partition(b" ")
        if kind != b"Basic":
            return proxy
        user, _, password = base64.b64decode(token).decode(self._auth_encoding).partition(":")
        parts = urlsplit(proxy)
        return parts._replace(netloc=f"{quote(user, safe='')}:{quote(password, safe='')}@{parts.netloc}").geturl()


def _told(error: Exception, transfer: Transfer) -> Exception:
    failed = classify(error)
    if failed.reason == "parse":
        return error  # the judge's own exception, or a bug: neither is a failure of the network
    if failed.reason == "timeout" and isinstance(error, TimeoutError):
        failed.message = f"it took too long ({failed.message})" if str(error) else "it took too long"
    if failed.status is None and transfer.status:
        failed.status = transfer.status
    return failed
