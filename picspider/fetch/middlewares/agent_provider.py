"""scrapy-fake-useragent with a provider that works: imported when the first agent is needed."""

from __future__ import annotations

import logging
import random
from typing import TYPE_CHECKING, Protocol

import fake_useragent
from scrapy.utils.misc import load_object
from scrapy_fake_useragent.middleware import FIXED_PROVIDER_PATH, RandomUserAgentMiddleware

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)
_STOCK = 24
_BROWSERS = ["Chrome", "Firefox", "Edge", "Safari"]


class Provider(Protocol):
    """What scrapy-fake-useragent asks of a provider."""

    def get_random_ua(self) -> str:
        """An agent."""
        ...


class DesktopProvider:
    """Agents of current desktop browsers.

    The package's own FakeUserAgentProvider passes fallback=None, which fake-useragent 2 refuses. Its data take 12 MB
    and drawing an agent milliseconds: one is drawn first, a stock when a second is wanted, and the data are let go.
    It is a provider by its method, not by BaseProvider: that module imports Faker, which costs a start more than all
    of ours.
    """

    def __init__(self, _settings: BaseSettings) -> None:
        self._stock = _drawn(1)
        self._given = 0

    def get_random_ua(self) -> str:
        """An agent."""
        self._given += 1
        if self._given == 1:
            return self._stock[0]
        if len(self._stock) == 1:
            self._stock += _drawn(_STOCK)
        return random.choice(self._stock)  # not a secret


def _drawn(count: int) -> list[str]:
    agents = fake_useragent.UserAgent(browsers=_BROWSERS, platforms=["desktop"])
    return [str(agents.random) for _ in range(count)]


class Chooser(RandomUserAgentMiddleware):  # type: ignore[misc]  # the package ships no types
    """Chooses by the providers of FAKEUSERAGENT_PROVIDERS, else by ours; when none works it is USER_AGENT."""

    def choose(self) -> str:
        """An agent."""
        return str(self._ua_provider.get_random_ua())

    def _get_provider(self, crawler: Crawler) -> Provider:
        if crawler.settings.get("FAKEUSERAGENT_PROVIDERS"):
            chosen: Provider = super()._get_provider(crawler)
            return chosen
        try:
            return DesktopProvider(crawler.settings)
        except Exception:
            logger.warning("No browser's user agent can be had; sending USER_AGENT", exc_info=True)
            fixed: Provider = load_object(FIXED_PROVIDER_PATH)(crawler.settings)
            return fixed
