"""The downloader middlewares as a chain of plain calls: only what answers with an awaitable is awaited.

Scrapy's own chain makes a coroutine for every method of every middleware and every request.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from scrapy import Request
from scrapy.http import Response
from scrapy.utils.defer import ensure_awaitable

if TYPE_CHECKING:
    from scrapy.core.downloader.middleware import DownloaderMiddlewareManager
    from scrapy.crawler import Crawler

Place = TypeVar("Place")
Method = Callable[..., Any]


class MiddlewareChain:
    """Runs `process_request`, the download, `process_exception` and `process_response` as Scrapy documents them.

    The methods are those that Scrapy's DownloaderMiddlewareManager has built and sorted (checked on 2.19.0).
    """

    def __init__(self, manager: DownloaderMiddlewareManager, crawler: Crawler) -> None:
        self._manager = manager
        self._crawler = crawler
        self._methods: dict[str, tuple[Method, ...]] = {}

    async def run(
        self, request: Request, place: Place, download: Callable[[Request, Place], Awaitable[Response]]
    ) -> Response | Request:
        """The response to *request*, or the request that a middleware wants made instead."""
        try:
            result = await self._before(request) or await download(request, place)
        except Exception as error:  # noqa: BLE001  # the middlewares are asked about every error, as in Scrapy
            result = await self._after_error(request, error)
        if isinstance(result, Response):
            result = await self._after(request, result)
        return result

    async def _before(self, request: Request) -> Response | Request | None:
        for method in self._named("process_request"):
            result = method(request=request)
            if result is not None:
                result = await _settled(method, result)
                if result is not None:
                    return _checked(method, result)
        return None

    async def _after(self, request: Request, response: Response) -> Response | Request:
        for method in self._named("process_response"):
            result = method(request=request, response=response)
            if not isinstance(result, Response):
                result = _checked(method, await _settled(method, result))
                if isinstance(result, Request):
                    return result
            response = result
        return response

    async def _after_error(self, request: Request, error: Exception) -> Response | Request:
        for method in self._named("process_exception"):
            result = await _settled(method, method(request=request, exception=error))
            if result is not None:
                return _checked(method, result)
        raise error

    def _named(self, name: str) -> tuple[Method, ...]:
        methods = self._methods.get(name)
        if methods is None:
            old = self._manager._mw_methods_requiring_spider  # noqa: SLF001  # a test names the version
            methods = self._methods[name] = tuple(
                partial(method, spider=self._crawler.spider) if method in old else method
                for method in self._manager.methods[name]
                if method is not None
            )
        return methods


async def _settled(method: Method, result: object) -> object:
    if result is None or isinstance(result, Response | Request):
        return result
    return await ensure_awaitable(result, _warn=getattr(method, "__qualname__", repr(method)))


def _checked(method: Method, result: object) -> Response | Request:
    if isinstance(result, Response | Request):
        return result
    name = getattr(method, "__qualname__", repr(method))
    raise TypeError(f"Middleware {name} must return Response or Request, got {type(result).__name__}")
