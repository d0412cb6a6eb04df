from __future__ import annotations

import inspect
import json
from pathlib import Path

import scrapy
from scrapy.core import engine, scraper

from tests.conftest import Serve
from tests.crawls.running import run
from tests.sites.site import Site

HEARD = """
import asyncio, collections, json
from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.utils.project import get_project_settings

heard = collections.Counter()

class Ears:
    @classmethod
    def from_crawler(cls, crawler):
        self = cls()
        for name in ("request_scheduled", "request_reached_downloader", "response_downloaded", "response_received",
                     "request_left_downloader"):
            setattr(self, name, lambda name=name: heard.update([name]))
            crawler.signals.connect(getattr(self, name), getattr(signals, name))
        crawler.signals.connect(self.item_scraped, signals.item_scraped)
        crawler.signals.connect(self.fails, signals.item_scraped)
        crawler.signals.connect(self.refuses, signals.request_scheduled)
        return self
    async def item_scraped(self, item, response, spider):
        await asyncio.sleep(0.01)
        heard.update(["item_scraped"])
    def fails(self, item):
        heard.update(["failed"])
        raise ValueError("of a listener")
    def refuses(self, request):
        if request.url.endswith("2.jpg"):
            from scrapy.exceptions import IgnoreRequest
            raise IgnoreRequest

settings = get_project_settings()
settings.set("EXTENSIONS", {**settings.getdict("EXTENSIONS"), Ears: 1})
process = AsyncCrawlerProcess(settings)
crawler = process.create_crawler("layered")
process.crawl(crawler, config=CONFIG, output="OUTPUT")
process.start()
print(json.dumps([heard, crawler.stats.get_value("response_received_count"), len(crawler.engine.downloader.active)]))
"""


def test_scrapy_version_and_the_private_parts_used() -> None:
    """The private parts that carrier and scraper use are those of Scrapy 2.19; look at a newer one first."""
    assert scrapy.__version__.startswith("2.19."), "look at carrier.py and lean_scraper.py again"
    started = inspect.getsource(engine.ExecutionEngine._start_scheduled_request)
    assert "self._slot.scheduler.next_request()" in started
    downloaded = inspect.getsource(engine.ExecutionEngine._download)
    for step in ("add_request(request)", "logformatter.crawled", "signals.response_received", "nextcall.schedule()"):
        assert step in downloaded
    queued = inspect.getsource(scraper.Scraper.enqueue_scrape)
    for step in ("add_response_request", "finish_response(result, request)", "_check_if_closing()"):
        assert step in queued
    assert "max(len(result.body), self.MIN_RESPONSE_SIZE)" in inspect.getsource(scraper.Slot.add_response_request)
    assert "self.signals.send_catch_log_async" in inspect.getsource(scraper.Scraper.start_itemproc_async)


def test_all_signals_are_sent(serve: Serve, tmp_path: Path) -> None:
    """Listeners hear what they hear in Scrapy, may wait and refuse requests; an error of one is logged."""
    site = Site()
    pictures = [site.picture(f"/{number}.jpg", number) for number in range(3)]
    site.page("/", "".join(f'<img src="{path}">' for path in pictures))
    server = serve(site.write(tmp_path / "site"))
    config = f"entry: {server.base}/\nlayers: ['\\.jpg$']\n"
    code = HEARD.replace("CONFIG", repr(config)).replace("OUTPUT", str(tmp_path / "out"))
    crawl = run("-c", code)
    assert crawl.returncode == 0, crawl.stdout
    heard, received, active = json.loads(crawl.stdout.splitlines()[-1])
    scheduled = {"request_scheduled": 4}  # the page and three pictures
    downloaded = ("request_reached_downloader", "response_downloaded", "request_left_downloader", "response_received")
    # robots.txt, the page and two pictures.
    assert heard == scheduled | dict.fromkeys(downloaded, 4) | {"item_scraped": 2, "failed": 2}
    assert (received, active) == (4, 0)
    assert crawl.stdout.count("ValueError: of a listener") == 2
