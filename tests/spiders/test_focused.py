from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Serve
from tests.crawls.running import ROOT, Crawl, run
from tests.nginx import Server
from tests.sites import topic as museum
from tests.sites.site import Site

Config = Callable[..., str]


def crawl(config: str, output: Path, *options: str) -> Crawl:
    """``scrapy crawl focused`` with the text of a config."""
    done = run("-m", "scrapy", "crawl", "focused", "-a", f"config={config}", "-a", f"output={output}", *options)
    return Crawl(output, done.returncode, done.stdout)


def stat(told: Crawl, name: str) -> float:
    """A figure of the statistics that Scrapy shows at the end; 0 when it is not there."""
    found = re.search(rf"'{re.escape(name)}': ([\d.]+)", told.log)
    return float(found[1]) if found else 0.0


def paths(records: list[dict[str, Any]]) -> set[str]:
    """The paths of the URLs of *records*."""
    return {"/" + record["url"].split("/", 3)[3] for record in records}


def asked_pages(server: Server) -> list[str]:
    """The pages asked for, in order."""
    return [request.path for request in server.requests() if request.path.endswith((".html", "/"))]


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """The museum, its files in place."""
    site = museum.build()
    site.write(tmp_path / "site")
    return site


@pytest.fixture
def server(site: Site, serve: Serve, tmp_path: Path) -> Server:
    """The museum, served."""
    return serve(tmp_path / "site")


@pytest.fixture
def config(server: Server) -> Config:
    """The text of a config about the orchids of the museum; *more* is JSON of further keys."""

    def write(topic: dict[str, Any] | None = None, **more: Any) -> str:
        about = {"text": "orchid flowers", **(topic or {})}
        return json.dumps({"entry": f"{server.base}/", "topic": about, **more}, indent=1)

    return write


def test_relevant_pages_and_their_pictures_are_kept(config: Config, site: Site, server: Server, tmp_path: Path) -> None:
    """Pages on the topic are stored with their facts and pictures; the others are skips with their score."""
    told = crawl(config(pictures={}), tmp_path / "output")
    pages = told.feed("pages")
    assert paths(pages) == museum.relevant_paths(), told.complaints()
    for page in pages:
        path = "/" + page["url"].split("/", 3)[3]
        assert (told.output / "pages" / page["file"]).read_bytes() == site.files[path]
        text = (told.output / "pages" / page["text_file"]).read_text(encoding="utf-8")
        assert "Orchids love light and mist." in text
        assert "<" not in text
        assert page["title"].startswith("Orchids, showcase")
        assert (page["host"], str(page["port"])) == tuple(server.base.removeprefix("http://").split(":"))
        assert (page["content_type"], page["length"]) == ("text/html", len(site.files[path]))
        assert abs(datetime.fromisoformat(page["date"]).timestamp() - time.time()) < 120
        assert 0 < page["title_cosine"] <= 1
        assert 0 < page["body_cosine"] <= 1
        assert page["score"] > 2
    skips = told.feed("skips")
    assert paths(skips) == site.pages - museum.relevant_paths()
    assert all(skip["reason"] == "off-topic" and skip["message"].startswith("its score is ") for skip in skips)
    assert {record["state"] for record in told.feed("tree")} == {"done"}
    assert paths(told.feed("pictures")) == set(site.pictures)
    assert sorted(told.stored().values()) == sorted(site.pictures.values())
    assert not {request.path for request in server.requests()} & site.left_alone


def test_worked_config(server: Server, site: Site, tmp_path: Path) -> None:
    """configs/topic.yaml does what it says, by `picspider crawl`, too: that command finds the spider by the config."""
    source = tmp_path / "topic.yaml"
    text = (ROOT / "configs" / "topic.yaml").read_text(encoding="utf-8")
    source.write_text(text.replace("https://museum.example", server.base), encoding="utf-8")
    done = run("-m", "picspider", "crawl", str(source), "-o", f"output={tmp_path / 'output'}")
    told = Crawl(tmp_path / "output", done.returncode, done.stdout)
    assert told.exit_code == 0, told.complaints()
    assert paths(told.feed("pages")) == museum.relevant_paths()
    assert set(told.stored()) == {path.rpartition("/")[2] for path in site.pictures}


def test_links_and_harvest_are_counted(config: Config, tmp_path: Path) -> None:
    """The statistics have links by kind, and the harvest rate; the report has its plot's figures."""
    told = crawl(config(), tmp_path / "output")
    relevant, fetched = len(museum.relevant_paths()), 1 + len(museum.ROOMS) * museum.SHOWCASES
    assert stat(told, "picspider/harvest/fetched") == fetched
    assert stat(told, "picspider/harvest/relevant") == relevant
    assert stat(told, "picspider/harvest/rate") == pytest.approx(relevant / fetched, abs=1e-3)
    assert stat(told, "picspider/links/external") == 1
    assert stat(told, "picspider/links/other") == 3 + museum.SHOWCASES  # mail, script and file; pictures linked
    assert stat(told, "picspider/links/internal") > fetched
    assert told.feed("pictures") == []
    report = (told.output / "report.html").read_text(encoding="utf-8")
    assert f'"harvest":{{"fetched":{fetched},"relevant":{relevant},' in report


def test_best_first_comes_to_the_topic_first(config: Config, server: Server, tmp_path: Path) -> None:
    """Best-first takes the orchids one after the other; breadth-first and depth-first take their time."""
    needed = {}
    for order in ("best", "breadth", "depth"):
        before = len(server.requests())
        crawl(config(order=order, fetch={"concurrency": 1}), tmp_path / order)
        asked = [request.path for request in server.requests()[before:]]
        needed[order] = max(asked.index(path) for path in museum.relevant_paths())
    assert needed["best"] <= museum.SHOWCASES + 2
    assert needed["breadth"] > 4 * museum.SHOWCASES
    assert needed["depth"] > museum.SHOWCASES + 2


def test_limits(config: Config, tmp_path: Path) -> None:
    """`topic.depth` are clicks, `limits.pages` are fetches; the same command goes on where the limit ended it."""
    told = crawl(config({"depth": 1}), tmp_path / "depth")
    assert {record["layer"] for record in told.feed("tree")} == {0, 1}
    assert len(told.feed("tree")) == 1 + len(museum.ROOMS)
    limited = config(limits={"pages": 10}, fetch={"concurrency": 1})
    told = crawl(limited, tmp_path / "limit")
    states = [record["state"] for record in told.feed("tree")]
    assert states.count("done") == 10
    assert "waiting" in states
    again = crawl(limited, tmp_path / "limit")
    assert [record["state"] for record in again.feed("tree")].count("done") == 20


def test_scope(config: Config, serve: Serve, tmp_path: Path) -> None:
    """`internal` stays on the entry's server, `external` leaves it at once, `all` does both."""
    other = Site()
    other.page("/orchids.html", "<h1>Orchids</h1><p>Orchid flowers</p>", head="<title>Orchid flowers</title>")
    elsewhere = serve(other.write(tmp_path / "other"))
    home = tmp_path / "site" / "index.html"
    home.write_text(home.read_text().replace("http://elsewhere.invalid/orchids", f"{elsewhere.base}/orchids.html"))
    hosts = {}
    for scope in ("internal", "external", "all"):
        told = crawl(config({"scope": scope, "depth": 1}), tmp_path / scope)
        hosts[scope] = [record["url"].startswith(elsewhere.base) for record in told.feed("tree")]
    assert hosts["internal"] == [False] * 7
    assert hosts["external"] == [False, True]
    assert sorted(hosts["all"]) == [*[False] * 7, True]


def test_seed_pages_are_fetched_first(server: Server, tmp_path: Path) -> None:
    """A topic given by pages: they come through the crawl's own downloader, before the entry; a dead one is told."""
    seeds = [server.base + museum.path_of(museum.TOPIC_ROOM, number) for number in range(3)]
    about = {"pages": [*seeds, f"{server.base}/gone.html"], "model": "tfidf-seed"}
    told = crawl(json.dumps({"entry": f"{server.base}/", "topic": about}), tmp_path / "output")
    assert asked_pages(server)[:5] == [*[museum.path_of(museum.TOPIC_ROOM, n) for n in range(3)], "/gone.html", "/"]
    assert "gone.html cannot be had" in told.log
    assert paths(told.feed("pages")) >= museum.relevant_paths()


def test_no_topic_no_crawl(config: Config, server: Server, tmp_path: Path) -> None:
    """Without one seed page the crawl does not begin, and says so; what can be known earlier is told earlier."""
    source = tmp_path / "topic.yaml"
    source.write_text(json.dumps({"entry": f"{server.base}/", "topic": {"pages": [f"{server.base}/gone.html"]}}))
    done = run("-m", "picspider", "crawl", str(source), "-o", f"output={tmp_path / 'seeds'}")
    assert done.returncode == 1
    assert "none of the seed pages could be had" in done.stdout
    assert "/" not in asked_pages(server)
    told = crawl(config({"model": "tfidf-seed"}), tmp_path / "model")
    assert "tfidf-seed needs at least 3" in told.log
    assert told.exit_code != 0


def test_crawl_that_is_brought_up_to_date(config: Config, site: Site, tmp_path: Path) -> None:
    """Pages are read again: one that is about something else now is no longer kept, and the tree stays a tree."""
    first = crawl(config(pictures={}), tmp_path / "output")
    changed = museum.path_of(museum.TOPIC_ROOM, 4)
    (tmp_path / "site" / changed.lstrip("/")).write_text("<title>Closed</title><p>This showcase is being cleaned.</p>")
    again = crawl(config(pictures={}), tmp_path / "output")
    assert paths(again.feed("pages")) == museum.relevant_paths() - {changed}
    assert len(list((again.output / "pages").rglob("*.html"))) == museum.SHOWCASES - 1
    assert len(again.feed("pictures")) == len(first.feed("pictures"))
    parents = {record["id"]: record["parent"] for record in again.feed("tree")}
    assert parents == {record["id"]: record["parent"] for record in first.feed("tree")}


def test_changed_topic_judges_again(config: Config, tmp_path: Path) -> None:
    """Another topic on the same output: every page is judged by it."""
    crawl(config(), tmp_path / "output")
    told = crawl(config({"text": "medieval silver coins"}), tmp_path / "output")
    room = museum.ROOMS.index("medieval coins")
    assert paths(told.feed("pages")) == {museum.path_of(room, number) for number in range(museum.SHOWCASES)}
    files = {file.relative_to(told.output / "pages").as_posix() for file in (told.output / "pages").rglob("*.html")}
    assert files == {record["file"] for record in told.feed("pages")}


def test_killed_crawl_ends_like_one_left_alone(config: Config, tmp_path: Path) -> None:
    """After kills -9 the same command ends with the same pages and pictures, and no file that no record speaks of."""
    text = config(pictures={}, fetch={"concurrency": 4, "delay": 0.005})
    began = time.monotonic()
    alone = crawl(text, tmp_path / "alone")
    seconds = time.monotonic() - began
    output = tmp_path / "killed"
    environment = {**os.environ, "SCRAPY_SETTINGS_MODULE": "picspider.settings", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "scrapy", "crawl", "focused", "-a", f"config={text}", "-a", f"output={output}"]
    for share in (0.55, 0.7, 0.85):
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
        try:
            process.wait(share * seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
    killed = crawl(text, output)
    while '"waiting"' in (output / "tree.json").read_text():
        killed = crawl(text, output)
    for feed in ("pages", "pictures", "skips", "failures"):
        assert paths(killed.feed(feed)) == paths(alone.feed(feed)), feed
    assert killed.stored() == alone.stored()
    files = {file.name for file in (output / "pages").rglob("*") if file.is_file()}
    assert files == {file.name for file in (alone.output / "pages").rglob("*") if file.is_file()}
    assert not (output / "partial").exists()
