"""robots.txt (RFC 9309): obeyed, fetched once for each server, and cheap where it allows everything."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.misc import build_from_crawler
from twisted.internet.defer import Deferred

from picspider.errors import Failed
from picspider.fetch.origin import split

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from scrapy.crawler import Crawler
    from scrapy.robotstxt import RobotParser

logger = logging.getLogger(__name__)
_OUR_NAME = "picspider"
# RFC 9309, 2.5: at least 500 KiB must be read.
_LIMIT_BYTES = 1 << 20


class Robots(RobotsTxtMiddleware):
    """Raises Failed("robots") for what robots.txt forbids. Settings: those of Scrapy's own (ROBOTSTXT_OBEY …).

    A robots.txt that cannot be had forbids nothing. The name looked for is ROBOTSTXT_USER_AGENT, else
    PICSPIDER_USER_AGENT when that is a text of the user's, else "picspider".
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        agent = crawler.settings.get("PICSPIDER_USER_AGENT")
        self._name: str = self._robotstxt_useragent or (
            _OUR_NAME if agent in (None, "", "browser", "random") else agent
        )

    def process_request(self, request: Request, spider: object = None) -> Awaitable[None] | None:  # type: ignore[override]  # no coroutine when the answer is known
        """Raise if *request* is forbidden; wait for robots.txt if it is not there yet."""
        if request.meta.get("dont_obey_robotstxt"):
            return None
        server, _ = split(request.url)
        if server.key not in self._parsers or isinstance(self._parsers[server.key], Deferred):
            return self._wait(request, server.key, f"{server.scheme}://{server.netloc}/robots.txt")
        self._check(request.url, self._parsers[server.key])
        return None

    async def _wait(self, request: Request, key: str, url: str) -> None:
        if key not in self._parsers:
            waiting: Deferred[RobotParser | None] = Deferred()
            self._parsers[key] = waiting
            parser = await self._fetched(url, request)
            self._parsers[key] = parser
            waiting.callback(parser)
        known: Any = self._parsers[key]
        self._check(request.url, await maybe_deferred_to_future(known) if isinstance(known, Deferred) else known)

    async def _fetched(self, url: str, request: Request) -> RobotParser | None:
        """The parser of robots.txt at *url*; None when all is allowed."""
        meta = {"dont_obey_robotstxt": True, "max_retry_times": 1, "download_maxsize": _LIMIT_BYTES}
        if "proxy" in request.meta:
            meta["proxy"] = request.meta["proxy"]
        asked = Request(url, priority=self.DOWNLOAD_PRIORITY, meta=meta, callback=NO_CALLBACK)
        try:
            response = await self.crawler.engine.download_async(asked)
        except Exception as error:  # noqa: BLE001  # whatever it is, the crawl goes on
            logger.info("%s could not be had, so nothing is forbidden: %s", url, error)
            return None
        if response.status != 200 or b"disallow" not in response.body.lower():
            return None
        parser: RobotParser = build_from_crawler(self._parserimpl, self.crawler, response.body)
        return parser

    def _check(self, url: str, parser: RobotParser | Deferred[RobotParser | None] | None) -> None:
        if parser is None or isinstance(parser, Deferred) or parser.allowed(url, self._name):
            return
        self._stats.inc_value("robotstxt/forbidden")
        raise Failed("robots", f"robots.txt forbids it to {self._name}")
