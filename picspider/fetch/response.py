"""Scrapy responses whose headers become a dict only when somebody looks: most pictures' never do."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from scrapy.http import Headers, HtmlResponse, JsonResponse, Response, TextResponse, XmlResponse
from scrapy.responsetypes import responsetypes

from picspider.fetch.client.client import RawHeaders

if TYPE_CHECKING:
    from picspider.fetch.client.transfer import Transfer


class _Sent:
    """The headers as they were sent; Scrapy's own __init__ stays as it is, so that `replace` and `copy` work."""

    __slots__ = ()
    if TYPE_CHECKING:
        sent: RawHeaders
        brings_cookie: bool
        _headers: Headers | None

    @property
    def headers(self) -> Headers:
        """Scrapy's case-insensitive headers (made on first use)."""
        if self._headers is None:
            self._headers = made = Headers()  # type: ignore[misc]  # the slot is Response's
            for name, value in getattr(self, "sent", ()):
                dict.setdefault(made, name.title(), []).append(value)
        return self._headers

    @headers.setter
    def headers(self, value: Mapping[str, str] | Headers | None) -> None:
        made = value if value is None or isinstance(value, Headers) else Headers(value)
        self._headers = made  # type: ignore[misc]  # the slot is Response's


class PlainAnswer(_Sent, Response):
    """Anything that is not text: pictures."""

    __slots__ = ("brings_cookie", "sent")


class TextAnswer(_Sent, TextResponse):
    """Text of no special kind."""

    __slots__ = ("brings_cookie", "sent")


class HtmlAnswer(_Sent, HtmlResponse):
    """A page."""

    __slots__ = ("brings_cookie", "sent")


class XmlAnswer(_Sent, XmlResponse):
    """XML: feeds, sitemaps, SVG pictures."""

    __slots__ = ("brings_cookie", "sent")


class JsonAnswer(_Sent, JsonResponse):
    """JSON."""

    __slots__ = ("brings_cookie", "sent")


_KINDS: tuple[tuple[type[Response], type[Response]], ...] = (
    (HtmlResponse, HtmlAnswer),
    (XmlResponse, XmlAnswer),
    (JsonResponse, JsonAnswer),
    (TextResponse, TextAnswer),
)


@lru_cache(maxsize=1024)
def _kind(content_type: bytes) -> type[Response]:
    scrapys = responsetypes.from_content_type(content_type)
    return next((ours for kind, ours in _KINDS if issubclass(scrapys, kind)), PlainAnswer)


@lru_cache(maxsize=4096)
def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    return ipaddress.ip_address(text)


def build_response(url: str, transfer: Transfer, body: bytes) -> Response:
    """The response for *url*: its class follows Content-Type; without one, markup is a page."""
    content_type = transfer.known.get(b"content-type")
    is_markup = body[:1000].lstrip().startswith(b"<")
    kind = _kind(content_type) if content_type else HtmlAnswer if is_markup else PlainAnswer
    response = kind(
        url,
        status=transfer.status,
        body=body,
        ip_address=_address(transfer.peer) if transfer.peer else None,
        protocol="HTTP/1.1",
    )
    # Every kind above has these slots.
    response.sent = transfer.decoded_headers()  # type: ignore[attr-defined]
    response.brings_cookie = b"set-cookie" in transfer.known  # type: ignore[attr-defined]
    return response


def sets_cookie(response: Response) -> bool:
    """Whether a cookie comes with *response*, found without making the headers."""
    known: bool | None = getattr(response, "brings_cookie", None)
    return b"Set-Cookie" in response.headers if known is None else known
