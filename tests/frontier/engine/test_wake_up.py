"""The engine is asked again when the first host that has to wait is ready."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import Any

from scrapy import Spider
from scrapy.utils.test import get_crawler

from picspider.fetch.downloader import Downloader
from picspider.frontier.engine.wake_up import WakeUp


def crawler_with(downloader: object, rings: list[float]) -> Any:
    """A crawler with an engine that notes when it is asked again."""
    crawler: Any = get_crawler(Spider, {"DOWNLOAD_HANDLERS": dict.fromkeys(("http", "https"))})
    crawler.spider = Spider("test")
    slot = SimpleNamespace(nextcall=SimpleNamespace(schedule=lambda: rings.append(time.monotonic())))
    crawler.engine = SimpleNamespace(downloader=downloader or Downloader(crawler), _slot=slot)
    return crawler


def test_earliest_host_counts() -> None:
    """A host that is ready sooner is not held up by one that a ring was set for before; later ones ring then."""
    rings: list[float] = []

    async def wait() -> float:
        crawler = crawler_with(None, rings)
        hold, wake_up = crawler.engine.downloader.hold, WakeUp(crawler)
        began = time.monotonic()
        hold("slow:80", 60)
        wake_up.set({"slow:80", "free:80"})
        hold("soon:80", 0.05)
        wake_up.set({"slow:80", "soon:80"})
        wake_up.set({"slow:80"})
        await asyncio.sleep(0.3)
        assert len(rings) == 1
        hold("soon:80", 0.05)
        wake_up.set({"soon:80"})
        await asyncio.sleep(0.3)
        crawler.engine.downloader.close()
        return began

    began = asyncio.run(wait())
    assert len(rings) == 2
    assert 0.05 <= rings[0] - began < 0.3


def test_nothing_to_wait_for() -> None:
    """With hosts that are all ready, or Scrapy's own downloader, nothing rings."""
    rings: list[float] = []

    async def wait() -> None:
        WakeUp(crawler_with(None, rings)).set({"free:80"})
        WakeUp(crawler_with(SimpleNamespace(), rings)).set({"free:80"})
        await asyncio.sleep(0.02)

    asyncio.run(wait())
    assert rings == []
