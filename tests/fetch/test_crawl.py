from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = """
import asyncio, json, sys
import scrapy
from scrapy.crawler import CrawlerProcess
from picspider.fetch import MIDDLEWARES
from tests.fetch.servers import Server, moved, reply

class Probe(scrapy.Spider):
    name = "probe"
    got = {}

    async def start(self):
        tries = []

        async def answer(head, writer):
            path = head.split(b" ")[1].decode()
            await asyncio.sleep(0.02)
            if path == "/moved":
                writer.write(moved("/p/moved-to"))
            elif path == "/flaky":
                tries.append(1)
                writer.write(reply(b"ok") if len(tries) > 2 else reply(b"", "503 x"))
            elif path == "/robots.txt":
                writer.write(reply(b"User-agent: *\\nDisallow: /no"))
            else:
                writer.write(reply(b"<p>ok</p>", headers={"Content-Type": "text/html"}))

        self.server = Server(answer)
        listener = await asyncio.start_server(self.server.handle, "127.0.0.1", 0)
        self.server.port = listener.sockets[0].getsockname()[1]
        for path in [f"p/{i}" for i in range(60)] + ["moved", "flaky", "no/x", "p/0"]:
            yield scrapy.Request(self.server.url + path, self.parse, errback=self.failed, cb_kwargs={"path": path})
        yield scrapy.Request("http://127.0.0.1:1/", self.parse, errback=self.failed, cb_kwargs={"path": "dead"})

    def parse(self, response, path):
        self.got[path] = [response.status, response.url.rpartition("/")[2], str(response.ip_address)]

    def failed(self, failure):
        self.got[failure.request.cb_kwargs["path"]] = getattr(failure.value, "reason", repr(failure.value))

    def closed(self, reason):
        print(json.dumps({"reason": reason, "got": self.got, "most": self.server.most}))

process = CrawlerProcess({
    "DOWNLOADER": "picspider.fetch.downloader.Downloader",
    "DOWNLOAD_HANDLERS": dict.fromkeys(("http", "https"), "picspider.fetch.handler.PictureHandler"),
    "DOWNLOADER_MIDDLEWARES_BASE": MIDDLEWARES,
    "ASYNCIO_EVENT_LOOP": sys.argv[1] or None,
    "CONCURRENT_REQUESTS": 32,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 5,
    "DOWNLOAD_DELAY": 0,
    "ROBOTSTXT_OBEY": True,
    "PICSPIDER_BACKOFF_MAX": 0.05,
    "AUTOTHROTTLE_ENABLED": len(sys.argv) > 2,
    "AUTOTHROTTLE_START_DELAY": 0.01,
    "AUTOTHROTTLE_MAX_DELAY": 0.02,
    "TELNETCONSOLE_ENABLED": False,
    "LOG_LEVEL": "WARNING",
})
process.crawl(Probe)
process.start()
"""


@pytest.mark.parametrize("arguments", [["uvloop.Loop"], [""], ["uvloop.Loop", "autothrottle"]])
def test_a_real_crawl(arguments: list[str]) -> None:
    """Scrapy's own engine, scheduler and AutoThrottle work with the downloader, on both event loops."""
    done = subprocess.run(
        [sys.executable, "-W", "error::DeprecationWarning:picspider", "-c", SCRIPT, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    got = result["got"]
    assert result["reason"] == "finished"
    assert all(got[f"p/{i}"] == [200, str(i), "127.0.0.1"] for i in range(60))
    assert got["moved"][1] == "moved-to"
    assert got["flaky"][0] == 200
    assert got["no/x"] == "robots"
    assert got["dead"] == "connection"
    assert result["most"] <= 5
    assert "Deprecation" not in done.stderr
    assert "Traceback" not in done.stderr
