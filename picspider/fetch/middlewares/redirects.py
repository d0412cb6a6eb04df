"""Redirects by status, followed as one and the same visit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote_from_bytes, urlsplit

from picspider.errors import Failed
from picspider.fetch.middlewares.headers import FOR_EVERYBODY
from picspider.fetch.response import sets_cookie
from picspider.urls import host_key, resolve
from picspider.visit import attach, note_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

_STATUSES = {301, 302, 303, 307, 308}
_LOGIN_PATH = re.compile(r"(?i)(?:^|/)(?:log[_-]?[io]n|sign[_-]?(?:in|up)|sessions?/new|accounts?/login)(?:[/.;]|$)")
_NOT_ASCII = re.compile(rb"[\x80-\xff]+")
_OF_ONE_URL = (b"Cookie", b"Referer")
_OF_A_BODY = (b"Content-Type", b"Content-Length", b"Content-Encoding", b"Content-Language", b"Content-Location")
_PROXY_META = ("_scheme_proxy", "proxy", "_auth_proxy")


class Redirects:
    """Follows 301, 302, 303, 307 and 308 (RFC 9110, 15.4) with the note of the first request.

    The new request carries every URL it was sent on from in its note's `redirects`. Cookie and Referer and, to another
    server, whatever may be a secret are not handed on: the middlewares that set them set them where they belong.
    Settings: REDIRECT_MAX_TIMES. `dont_redirect` and `handle_httpstatus_list` mean what they mean in Scrapy.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._most: int = crawler.settings.getint("REDIRECT_MAX_TIMES")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Redirects:
        """As Scrapy builds its components."""
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Request | Response:
        """The request to make instead. Raises Failed("redirect-loop", "login-redirect", "scheme", "bad-url")."""
        if response.status not in _STATUSES or self._unwanted(request, response):
            return response
        location = response.headers.get(b"Location")
        if not location:
            return response
        target = _resolved(request, response, location)
        if not target.startswith(("http://", "https://")):
            raise Failed("scheme", f"redirected to {target}: only http and https are fetched", status=response.status)
        self._check_loop(request, response, target)
        self._check_login(request, response, target)
        return self._sent_on(request, response, target)

    def _unwanted(self, request: Request, response: Response) -> bool:
        meta = request.meta
        if meta.get("dont_redirect") or meta.get("handle_httpstatus_all"):
            return True
        wanted = (meta.get("handle_httpstatus_list", ()), getattr(self._crawler.spider, "handle_httpstatus_list", ()))
        return any(response.status in statuses for statuses in wanted)

    def _check_loop(self, request: Request, response: Response, target: str) -> None:
        chain = [*request.meta.get("redirect_urls", ()), request.url]
        if len(chain) > self._most:
            raise Failed("redirect-loop", f"more than {self._most} redirects", status=response.status)
        # A site may set a cookie and send the visitor to the same page once.
        again = chain.count(target)
        if again > 1 or (again == 1 and not sets_cookie(response)):
            raise Failed("redirect-loop", f"the redirects come back to {target}", status=response.status)

    def _check_login(self, request: Request, response: Response, target: str) -> None:
        # On the same server the login page is fetched: it is told as not a picture, with what it says.
        note = note_of(request)
        if note is None or note.kind != "picture" or host_key(target) == host_key(request.url):
            return
        if _LOGIN_PATH.search(urlsplit(target).path):
            raise Failed("login-redirect", f"sent on to log in at {target}", status=response.status)

    def _sent_on(self, request: Request, response: Response, target: str) -> Request:
        method, body = _method_after(response.status, request)
        new = request.replace(url=target, method=method, body=body, cookies=None, dont_filter=True)
        dropped = {*_OF_ONE_URL, *(() if body else _OF_A_BODY)}
        if host_key(target) != host_key(request.url):
            dropped |= {b"User-Agent", *(set(new.headers) - FOR_EVERYBODY - {b"Proxy-Authorization"})}
        for name in dropped:
            new.headers.pop(name, None)
        meta = new.meta
        if meta.get("download_slot") == host_key(request.url):
            del meta["download_slot"]
        if "_scheme_proxy" in meta and target.partition(":")[0] != request.url.partition(":")[0]:
            for key in _PROXY_META:
                meta.pop(key, None)
            new.headers.pop(b"Proxy-Authorization", None)
        meta["redirect_times"] = meta.get("redirect_times", 0) + 1
        meta["redirect_urls"] = [*meta.get("redirect_urls", ()), request.url]
        meta["redirect_reasons"] = [*meta.get("redirect_reasons", ()), response.status]
        note = note_of(request)
        return new if note is None else attach(new, note._replace(redirects=(*note.redirects, request.url)))


def _method_after(status: int, request: Request) -> tuple[str, bytes]:
    if (status in (301, 302) and request.method == "POST") or (status == 303 and request.method not in ("GET", "HEAD")):
        return "GET", b""
    return request.method, request.body


def _resolved(request: Request, response: Response, location: bytes) -> str:
    # Byte by byte, whatever they meant: as browsers send them.
    text = _NOT_ASCII.sub(lambda run: quote_from_bytes(run[0]).encode(), location).decode("ascii")
    try:
        return resolve(request.url, text)
    except Failed as failed:
        raise Failed(failed.reason, failed.message, status=response.status) from failed
