"""The proxy of the config, through Scrapy's own HttpProxyMiddleware."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.httpproxy import HttpProxyMiddleware
from scrapy.exceptions import NotConfigured

from picspider.errors import ConfigError

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler


class Proxy(HttpProxyMiddleware):
    """Sends everything through PICSPIDER_PROXY, else through the proxies of the environment; absent without either."""

    proxy: str | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Proxy:
        """As Scrapy builds its components. Raises ConfigError for a proxy that is not http or https."""
        made = super().from_crawler(crawler)
        made.proxy = crawler.settings.get("PICSPIDER_PROXY")
        if made.proxy and not made.proxy.startswith(("http://", "https://")):
            raise ConfigError(
                f"fetch.proxy: {made.proxy.partition(':')[0]} is no kind of proxy; use http:// or https://"
            )
        if not made.proxy and not made.proxies:
            raise NotConfigured
        return made

    def process_request(self, request: Request, spider: Spider | None = None) -> None:  # Scrapy's
        """Set meta["proxy"] and Proxy-Authorization."""
        if self.proxy:
            request.meta.setdefault("proxy", self.proxy)
        super().process_request(request)
