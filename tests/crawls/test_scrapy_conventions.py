"""What users of Scrapy expect of any project holds for this one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Serve
from tests.crawls.running import run, scrapy_crawl
from tests.sites.site import Site

CONFIG = """\
entry: {base}/
layers: ['\\.jpg$']
fetch: {{user_agent: "{user_agent}"}}
"""

TWO_CRAWLS_AND_A_STRANGER = """
import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.utils.project import get_project_settings

class Stranger(scrapy.Spider):
    name = "stranger"
    start_urls = ["{base}/stranger"]
    def parse(self, response):
        pass

process = AsyncCrawlerProcess(get_project_settings())
for number, text in enumerate({configs!r}):
    process.crawl("layered", config=text, output="{output}/" + str(number))
process.crawl(Stranger)
process.start()
"""


@pytest.fixture
def site() -> Site:
    """One page with three pictures."""
    site = Site()
    pictures = [site.picture(f"/{number}.jpg", number) for number in range(3)]
    site.page("/", "".join(f'<img src="{path}">' for path in pictures))
    site.page("/stranger", "")
    return site


def test_scrapy_list_and_check() -> None:
    """`scrapy list` names the spiders, and `scrapy check` finds nothing wrong with their contracts."""
    assert "layered" in run("-m", "scrapy", "list").stdout.split()
    check = run("-m", "scrapy", "check")
    assert check.returncode == 0, check.stdout


def test_settings_of_the_command_line_win(site: Site, serve: Serve, tmp_path: Path) -> None:
    """-s is stronger than the YAML file, for Scrapy's own settings and for those of its images pipeline."""
    server = serve(site.write(tmp_path / "site"))
    config = CONFIG.format(base=server.base, user_agent="from the file")
    crawl = scrapy_crawl(
        config, tmp_path / "out", "-s", "USER_AGENT=from the command line", "-s", "IMAGES_MIN_WIDTH=500"
    )
    assert {request.user_agent for request in server.requests()} == {"from the command line"}
    assert crawl.feed("pictures") == []
    assert [record["reason"] for record in crawl.feed("skips")] == ["too-small"] * 3


def test_output_option_adds_a_feed(site: Site, serve: Serve, tmp_path: Path) -> None:
    """-o writes the pictures' records in any format of Scrapy's, and the feeds of the output folder stay."""
    server = serve(site.write(tmp_path / "site"))
    feed = tmp_path / "mine.jsonl"
    crawl = scrapy_crawl(CONFIG.format(base=server.base, user_agent="browser"), tmp_path / "out", "-o", str(feed))
    records = [json.loads(line) for line in feed.read_text(encoding="utf-8").splitlines()]
    assert {server.base + path for path in site.pictures} <= {record.get("url") for record in records}
    assert len(crawl.feed("pictures")) == 3
    assert crawl.feed("failures") == []


def test_a_config_never_leaks(site: Site, serve: Serve, tmp_path: Path) -> None:
    """Two crawls and a stranger's spider in one process: each goes by its own settings."""
    server = serve(site.write(tmp_path / "site"))
    configs = [CONFIG.format(base=server.base, user_agent=name) for name in ("first", "second")]
    script = tmp_path / "two_crawls.py"
    script.write_text(
        TWO_CRAWLS_AND_A_STRANGER.format(base=server.base, configs=configs, output=tmp_path / "out"), encoding="utf-8"
    )
    done = run(str(script))
    agents = {name: [r.path for r in server.requests() if r.user_agent == name] for name in ("first", "second")}
    assert {path for path in agents["first"] if path.endswith(".jpg")} == set(site.pictures), done.stdout[-3000:]
    assert {path for path in agents["second"] if path.endswith(".jpg")} == set(site.pictures), done.stdout[-3000:]
    strangers = [request.user_agent for request in server.requests() if request.path == "/stranger"]
    assert len(strangers) == 1, done.stdout[-3000:]
    assert not {"first", "second"} & set(strangers)
