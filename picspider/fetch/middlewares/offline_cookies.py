"""Scrapy's cookie middleware without its calls home.

Scrapy asks tldextract whether a cookie is for a public suffix, and that fetches the list of suffixes from the net in
the middle of the crawl, which stands still meanwhile. Here the list that came with tldextract answers.

Checked on Scrapy 2.19.0 (`tests/fetch/middlewares/test_offline_cookies.py` names the version).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.cookies import CookiesMiddleware

from picspider.fetch.origin import split
from picspider.urls import is_public_suffix

if TYPE_CHECKING:
    from collections.abc import Iterable
    from http.cookiejar import Cookie

    from scrapy import Request
    from scrapy.http.cookies import CookieJar


class OfflineCookies(CookiesMiddleware):
    """It should only replace the question for public suffixes."""

    def _process_cookies(self, cookies: Iterable[Cookie], *, jar: CookieJar, request: Request) -> None:
        host = split(request.url)[0].host.lower()
        for cookie in cookies:
            domain = cookie.domain.removeprefix(".")
            if domain and is_public_suffix(domain):
                if domain != host:
                    continue
                cookie.domain = host
            jar.set_cookie_if_ok(cookie, request)
