"""The login form, filled in before the first request of the crawl. Its cookies come into the crawl's one jar."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from form2request import form2request  # type: ignore[import-untyped]  # it ships no types
from parsel import Selector
from scrapy import Request, signals
from scrapy.exceptions import CloseSpider, NotConfigured
from scrapy.http import TextResponse

from picspider.errors import Failed
from picspider.fetch.classify import classify
from picspider.regexes.checked import compiled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from picspider.config.fetch import Login

logger = logging.getLogger(__name__)
# The user asks for this page by name; robots.txt is about what a crawler finds by itself.
_META = {"dont_obey_robotstxt": True}


class LoginFirst:
    """Scrapy extension: the engine waits for it before it starts. When the login fails the crawl does not begin.

    Settings: PICSPIDER_LOGIN (a `picspider.config.fetch.Login`). The crawl closes with the reason `login_failed`.
    """

    def __init__(self, crawler: Crawler, login: Login) -> None:
        self._crawler = crawler
        self._login = login

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured when there is no login."""
        login = crawler.settings.get("PICSPIDER_LOGIN")
        if login is None:
            raise NotConfigured
        first = cls(crawler, login)
        crawler.signals.connect(first.log_in, signals.spider_opened)
        return first

    async def log_in(self) -> None:
        """Fetch the page, fill in its form, send it, and look at what comes. Raises CloseSpider."""
        try:
            page = await self._fetched(Request(self._login.page, meta={**_META}))
            answer = await self._fetched(filled_in(page, self._login.fields))
            check_answer(answer, self._login)
        except Exception as error:  # noqa: BLE001 - whatever it is, the crawl must not begin without a login
            failed = error if isinstance(error, Failed) else classify(error)
            logger.error("fetch.login: %s: %s", self._login.page, failed.message)  # noqa: TRY400 - one line says it
            raise CloseSpider("login_failed") from None
        logger.info("Logged in at %s", self._login.page)

    async def _fetched(self, request: Request) -> TextResponse:
        response = await self._crawler.engine.download_async(request)
        if response.status >= 400:
            raise Failed("http", f"the server answered with status {response.status}", status=response.status)
        return as_text(response)


def as_text(response: Response) -> TextResponse:
    """*response* as one with a text. Raises Failed("not-a-page")."""
    if isinstance(response, TextResponse):
        return response
    if b"<" not in response.body:
        raise Failed("not-a-page", "no page came that could hold a form")
    return TextResponse(response.url, headers=response.headers, body=response.body, request=response.request)


def filled_in(page: TextResponse, fields: Mapping[str, str]) -> Request:
    """The request that sends the form of *page* which has all *fields*, with hidden fields as the page has them.

    Raises Failed("parse") when there is no such form, or it would show the values in an address.
    """
    form = _form(Selector(page.text, base_url=page.url), fields)
    try:
        sent = form2request(form, dict(fields))
    except (NotImplementedError, ValueError) as error:
        raise Failed("parse", f"the form is of a kind that cannot be sent ({error})") from error
    if sent.method != "POST":
        raise Failed("parse", "the form is sent by GET, which would put the password into an address")
    headers = {**dict(sent.headers), "Referer": page.url}
    return Request(sent.url, method=sent.method, headers=headers, body=sent.body, meta={**_META}, dont_filter=True)


def check_answer(answer: TextResponse, login: Login) -> None:
    """Raises Failed("login-redirect") when *answer* is not what comes after a login."""
    if login.success is not None:
        if not compiled(login.success).search(answer.text):
            raise Failed("login-redirect", f"the login did not succeed: {login.success!r} is not on the page after it")
    elif any(set(login.fields) <= names for names in map(_names, Selector(answer.text).css("form"))):
        raise Failed("login-redirect", "the login did not succeed: the form came again (wrong name or password?)")


def _form(page: Selector, fields: Mapping[str, str]) -> Selector:
    known = []
    for form in page.css("form"):
        names = _names(form)
        if set(fields) <= names:
            return form
        known.append(", ".join(sorted(names)) or "none")
    seen = f"the forms there have the fields {' / '.join(known)}" if known else "there is no form on the page"
    raise Failed("parse", f"no form has the fields {', '.join(fields)}; {seen}")


def _names(form: Selector) -> set[str]:
    return set(form.css("input::attr(name), select::attr(name), textarea::attr(name), button::attr(name)").getall())
