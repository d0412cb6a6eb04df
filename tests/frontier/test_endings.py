"""A finished crawl has no row waiting or running, whatever became of its requests."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from pathlib import Path

from tests.conftest import Serve
from tests.crawls.running import Crawl, scrapy_crawl
from tests.sites.site import Site

CONFIG = """\
entry: {base}/
layers: ['/a/', '\\.(jpg|nope)$']
fetch: {{retries: 1, allowed_hosts: [127.0.0.1]}}
"""
EXTRA = """
    location = /a/moved { return 302 /a/target; }
    location = /a/moved-too { return 302 /a/target; }
    location = /a/slash { return 301 /a/slash/; }
    location = /a/round { return 302 /a/round2; }
    location = /a/round2 { return 302 /a/round; }
    location = /a/busy { return 503; }
    location = /moved.jpg { return 302 /ok.jpg; }
    location = /robots.txt { return 200 "User-agent: *\\nDisallow: /a/secret"; }
"""
STRANGERS = {
    "ITEM_PIPELINES": {
        "tests.frontier.strangers.Dropper": 100,
        "picspider.pictures.pipeline.PicturePipeline": 300,
    },
    "DOWNLOADER_MIDDLEWARES": {"tests.frontier.strangers.Refuser": 50},
}


def states(crawl: Crawl) -> Counter[str]:
    """How many rows are in each state."""
    connection = sqlite3.connect(crawl.output / "crawl.db")
    names = ("waiting", "running", "done", "error")
    return Counter(
        {names[state]: count for state, count in connection.execute("SELECT state, count(*) FROM node GROUP BY state")}
    )


def reasons(crawl: Crawl) -> dict[str, str]:
    """Reason by the last part of the URL."""
    return {record["url"].rpartition("/")[2]: record["reason"] for record in crawl.feed("failures")}


def test_every_row_ends(serve: Serve, tmp_path: Path) -> None:
    """Redirects, retries, robots refusals, offsite drops, dead links and strange schemes each end their row."""
    site = Site()
    pages = ["moved", "moved-too", "slash", "round", "busy", "secret", "gone"]
    links = "".join(f'<a href="/a/{name}">{name}</a>' for name in pages)
    site.page("/", links + '<a href="http://other.example/a/x">x</a><a href="ftp://127.0.0.1/a/y">y</a>')
    site.page("/a/target", f'<img src="{site.picture("/ok.jpg", 1)}"><img src="/moved.jpg"><img src="/none.nope">')
    site.page("/a/slash/", f'<img src="{site.picture("/slash.jpg", 2)}">')
    server = serve(site.write(tmp_path / "site"), EXTRA)
    crawl = scrapy_crawl(CONFIG.format(base=server.base), tmp_path / "output")
    assert set(states(crawl)) == {"done", "error"}, crawl.complaints()
    told = reasons(crawl)
    assert told == {
        "round": "redirect-loop", "busy": "http", "secret": "robots", "gone": "http", "x": "offsite", "y": "scheme",
        "none.nope": "http",
    }, crawl.complaints()  # fmt: skip
    by_url = [record for record in crawl.feed("repeats") if record["by"] == "url"]
    assert [record["url"] for record in by_url] == [f"{server.base}/a/moved-too"]
    assert {record["url"] for record in crawl.feed("repeats") if record["by"] == "content"} <= {
        f"{server.base}/moved.jpg", f"{server.base}/ok.jpg",
    }  # fmt: skip
    assert len(crawl.feed("pictures")) == 2


def test_strangers_in_the_way(serve: Serve, tmp_path: Path) -> None:
    """What other people's pipelines drop and middlewares refuse ends as a failure with a word about it."""
    site = Site()
    names = ("fine", "drop", "raise", "ignore", "fault")
    site.page("/", '<a href="/a/">a</a>')
    site.page("/a/", "".join(f'<img src="{site.picture(f"/{name}.jpg", n)}">' for n, name in enumerate(names)))
    server = serve(site.write(tmp_path / "site"))
    options = [part for name, value in STRANGERS.items() for part in ("-s", f"{name}={json.dumps(value)}")]
    crawl = scrapy_crawl(CONFIG.format(base=server.base), tmp_path / "output", *options)
    assert states(crawl) == {"done": 3, "error": 4}, crawl.log[-3000:]
    assert set(reasons(crawl)) == {"drop.jpg", "raise.jpg", "ignore.jpg", "fault.jpg"}
    assert [record["url"] for record in crawl.feed("pictures")] == [f"{server.base}/fine.jpg"]


def test_closed_spider_leaves_nothing_running(serve: Serve, tmp_path: Path) -> None:
    """A crawl closed in the middle has rows waiting but none running, and the next run fetches the rest."""
    site = Site()
    site.page("/", "".join(f'<img src="{site.picture(f"/{n}.jpg", n)}">' for n in range(40)))
    server = serve(site.write(tmp_path / "site"))
    config = f"entry: {server.base}/\nlayers: ['\\.jpg$']\n"
    stopped = scrapy_crawl(config + "limits: {pictures: 7}\n", tmp_path / "output")
    assert states(stopped)["running"] == 0
    assert len(stopped.feed("pictures")) == 7, stopped.complaints()
    rest = scrapy_crawl(config, tmp_path / "output")
    assert states(rest) == {"done": 41}
    assert len(rest.feed("pictures")) == 40


def test_alias_of_a_redirect_is_known_later(serve: Serve, tmp_path: Path) -> None:
    """A link to where a redirect ended is the same page: it is not fetched again, and told as a repeat."""
    site = Site()
    site.page("/", '<a href="/a/moved">1</a><a href="/list2.html">Next</a>')
    site.page("/list2.html", '<a href="/a/target">1</a>')
    site.page("/a/target", f'<img src="{site.picture("/ok.jpg", 1)}">')
    server = serve(site.write(tmp_path / "site"), EXTRA)
    config = "entry: {base}/\norder: depth\nlayers: ['/a/', '\\.jpg$']\nnext_page: Next\nfetch: {{concurrency: 1}}\n"
    crawl = scrapy_crawl(config.format(base=server.base), tmp_path / "output")
    assert sum(request.path == "/a/target" for request in server.requests()) == 1
    (repeat,) = crawl.feed("repeats")
    assert (repeat["url"], repeat["original"]["url"]) == (f"{server.base}/a/target", f"{server.base}/a/moved")
