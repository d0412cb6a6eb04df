"""Any spider over the frontier, as it would be over Scrapy's JOBDIR."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from tests.conftest import Serve
from tests.crawls.running import ROOT
from tests.sites.site import Site

SPIDER = """
import sys
import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.utils.project import get_project_settings

class Stranger(scrapy.Spider):
    name = "stranger"
    start_urls = ["{base}/"]
    custom_settings = {{"PICSPIDER_STORE": "sqlite:///{store}", "CONCURRENT_REQUESTS": 2, "DOWNLOAD_DELAY": {delay}}}

    def parse(self, response):
        for href in response.css("a::attr(href)").getall():
            # Copies the answer's meta, as many spiders do.
            meta = {{**response.meta, "from": response.url}}
            yield response.follow(href, self.parse_item, meta=meta, cb_kwargs={{"word": href}})
        yield scrapy.FormRequest("{base}/", self.posted, formdata={{"a": "1"}})
        yield scrapy.FormRequest("{base}/", self.posted, formdata={{"a": "2"}})
        yield scrapy.Request("{base}/odd", self.posted, meta={{"odd": object()}})

    def parse_item(self, response, word):
        assert response.meta["from"] == "{base}/" and word in response.url
        if word.endswith("/13.html"):
            raise ValueError("a fault in the callback")
        yield {{"url": response.url}}

    def posted(self, response):
        yield {{"url": response.request.method + response.url}}

process = AsyncCrawlerProcess(get_project_settings())
process.crawl(Stranger)
process.start()
"""


def start(script: Path) -> subprocess.Popen[str]:
    """Run the spider in a process of its own."""
    environment = {**os.environ, "SCRAPY_SETTINGS_MODULE": "picspider.settings", "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, str(script)], cwd=script.parent, env=environment, text=True, stderr=subprocess.PIPE
    )


def rows(store: Path) -> dict[str, tuple[int, str | None]]:
    """(state, reason) by URL."""
    connection = sqlite3.connect(store)
    return {url: (state, reason) for url, state, reason in connection.execute("SELECT url, state, reason FROM node")}


def test_foreign_spider_survives_kills(serve: Serve, tmp_path: Path) -> None:
    """A spider that knows nothing of picspider goes on after kill -9 and fetches every page, each once when done."""
    site = Site()
    site.page("/", "".join(f'<a href="/{number}.html">{number}</a>' for number in range(40)))
    for number in range(40):
        site.page(f"/{number}.html", "")
    server = serve(site.write(tmp_path / "site"))
    store = tmp_path / "crawl.db"
    script = tmp_path / "stranger.py"
    script.write_text(SPIDER.format(base=server.base, store=store, delay=0.1), encoding="utf-8")
    killed = start(script)
    deadline = time.monotonic() + 60
    while len(server.requests()) < 12 and time.monotonic() < deadline:
        time.sleep(0.02)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    done = {url.removeprefix(server.base) for url, (state, _) in rows(store).items() if state == 2}
    asked = len(server.requests())
    script.write_text(SPIDER.format(base=server.base, store=store, delay=0), encoding="utf-8")
    _, log = start(script).communicate(timeout=100)
    after = rows(store)
    assert {state for state, _ in after.values()} == {2, 3}, log[-3000:]
    pages = [request.path for request in server.requests()]
    assert {f"/{number}.html" for number in range(40)} <= set(pages)
    # The start page is known; POST requests to it are other requests.
    again = {path for path in pages[asked:] if path != "/"} & done
    assert again == set()
    assert after[f"{server.base}/13.html"] == (3, "parse")
    assert after[f"{server.base}/39.html"] == (2, None)
    assert f"{server.base}/odd" not in after
    assert "/odd" in pages, "what does not fit into JSON is fetched, but not kept"
