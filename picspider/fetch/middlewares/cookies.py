"""Cookies: the session of the pages goes with the pictures, the config's cookies stay with their host."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from http.cookiejar import Cookie, LoadError, MozillaCookieJar
from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from picspider.errors import ConfigError
from picspider.fetch.middlewares.browser_cookies import from_browser
from picspider.fetch.origin import split
from picspider.fetch.response import sets_cookie

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.downloadermiddlewares.cookies import CookiesMiddleware
    from scrapy.http import Response

_MANY_ORIGINS = 4096


class Cookies:
    """Scrapy's cookie middleware, made and asked only when it may have something to say.

    Settings: PICSPIDER_COOKIES (a dict for the entry's hosts, the path of a Netscape cookies.txt, or the name of a
    browser), PICSPIDER_ENTRY_HOSTS, and Scrapy's COOKIES_ENABLED and COOKIES_DEBUG. What the jar sends to a server is
    remembered until a cookie changes, as long as it is the same for all its paths and does not expire.
    """

    def __init__(self, *, debug: bool = False) -> None:
        self._debug = debug
        self._is_empty = True
        # By origin: the Cookie header that all its paths get; None: none.
        self._sent: dict[str, list[bytes] | None] = {}
        # By origin: the last Set-Cookie headers, if they said nothing that passes with time.
        self._seen: dict[str, tuple[bytes, ...]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Cookies:
        """As Scrapy builds its components. Raises ConfigError for a cookies file that cannot be read."""
        if not crawler.settings.getbool("COOKIES_ENABLED"):
            raise NotConfigured
        made = cls(debug=crawler.settings.getbool("COOKIES_DEBUG"))
        made.crawler = crawler
        given = crawler.settings.get("PICSPIDER_COOKIES")
        hosts = crawler.settings.getlist("PICSPIDER_ENTRY_HOSTS")
        made.add(_given(given or {}, hosts))
        return made

    crawler: Crawler | None = None

    @cached_property
    def stock(self) -> CookiesMiddleware:
        """Scrapy's own. Its import is slow (it knows the public suffixes), and many sites have no cookies."""
        from picspider.fetch.middlewares.offline_cookies import OfflineCookies  # noqa: PLC0415 - see above

        made = OfflineCookies(self._debug)
        if self.crawler is not None:
            made.crawler = self.crawler
        return made

    def add(self, cookies: Iterable[Cookie]) -> None:
        """Put *cookies* into the session."""
        for cookie in cookies:
            self.stock.jars[None].set_cookie(cookie)
            self._is_empty = False
        self._sent.clear()

    def process_request(self, request: Request, spider: object = None) -> None:  # Scrapy's
        """Set the Cookie header."""
        if self._is_empty and not request.cookies:
            return
        if request.cookies or "cookiejar" in request.meta or "dont_merge_cookies" in request.meta:
            self._is_empty = False
            self._sent.clear()
            self.stock.process_request(request)
            return
        key = split(request.url)[0].key
        if key not in self._sent:
            self.stock.process_request(request)
            if len(self._sent) < _MANY_ORIGINS and self._is_same_for_all_paths(request):
                self._sent[key] = request.headers.getlist(b"Cookie") or None
            return
        known = self._sent[key]
        if known is None:
            request.headers.pop(b"Cookie", None)
        else:
            request.headers[b"Cookie"] = known

    def process_response(self, request: Request, response: Response, spider: object = None) -> Response:
        """Keep the cookies that came."""
        if not sets_cookie(response):
            return response
        if "cookiejar" not in request.meta and self._has_seen(request, response):
            return response
        self.stock.process_response(request, response)
        self._is_empty = False
        self._sent.clear()
        return response

    def _is_same_for_all_paths(self, request: Request) -> bool:
        server, _ = split(request.url)
        names = (server.host, f"{server.host}.local")
        host = "." + server.host
        mine = [c for c in self.stock.jars[None] if c.domain in names or host.endswith("." + c.domain.lstrip("."))]
        return all(cookie.path == "/" and cookie.expires is None for cookie in mine)

    def _has_seen(self, request: Request, response: Response) -> bool:
        """Whether these very cookies came before; sites send them with every answer."""
        key = split(request.url)[0].key
        sent = tuple(response.headers.getlist(b"Set-Cookie"))
        if self._seen.get(key) == sent:
            return True
        lowered = b";".join(sent).lower()
        if len(self._seen) < _MANY_ORIGINS and b"expires" not in lowered and b"max-age" not in lowered:
            self._seen[key] = sent
        else:
            self._seen.pop(key, None)
        return False


def _given(cookies: str | Mapping[str, str], keys: list[str]) -> list[Cookie]:
    if not isinstance(cookies, str):
        return _for_hosts(cookies, keys)
    return from_browser(cookies, keys) if cookies.startswith("browser:") else _from_file(cookies)


def _from_file(path: str) -> list[Cookie]:
    jar = MozillaCookieJar()
    try:
        jar.load(path, ignore_discard=True, ignore_expires=True)
    except (OSError, LoadError) as error:
        raise ConfigError(f"fetch.cookies: {path} is no cookies.txt that can be read: {error}") from error
    for cookie in jar:
        if cookie.expires == 0:  # browsers' exports mark session cookies so
            cookie.expires, cookie.discard = None, True
    return list(jar)


def _for_hosts(cookies: Mapping[str, str], keys: Iterable[str]) -> list[Cookie]:
    return [_cookie(name, str(value), key) for key in keys for name, value in cookies.items()]


def _cookie(name: str, value: str, key: str) -> Cookie:
    """A session cookie for exactly one host; on a port of its own, for that port only."""
    host, _, port = key.rpartition(":")
    host = host.strip("[]")
    own_port = port not in ("80", "443")
    return Cookie(
        version=0,
        name=name,
        value=value,
        port=port if own_port else None,
        port_specified=own_port,
        domain=host if "." in host or ":" in host else f"{host}.local",  # http.cookiejar's name for dotless hosts
        domain_specified=False,
        domain_initial_dot=False,
        path="/",
        path_specified=True,
        secure=False,
        expires=None,
        discard=True,
        comment=None,
        comment_url=None,
        rest={},
    )
