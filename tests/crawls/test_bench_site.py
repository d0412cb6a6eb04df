from __future__ import annotations

import importlib
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from tests.crawls.running import Crawl, scrapy_crawl
from tests.debian import CACHE

REASONS = {"e404": ("http", 404), "e500": ("http", 500), "trunc": ("truncated", 200), "html": ("not-a-picture", 200)}


def test_small_site(bench: Path, tmp_path: Path) -> None:
    """The benchmark site of 1,000 pictures: nothing wrong, nothing missed, every repeat with both its paths."""
    modules = [importlib.import_module(name) for name in ("make_site", "server", "verify")]
    make_site, server, verify = modules
    site = make_site.ensure_site(CACHE / "bench", "small", 1)
    variant = server.Variant()
    with server.Server(site, tmp_path / "nginx", [variant]) as running:
        base = running.base(variant)
        text = (bench / "site.yaml").read_text(encoding="utf-8").replace("http://127.0.0.1", base)
        crawl = scrapy_crawl(text, tmp_path / "output")
    counts = verify.verify(crawl.output / "pictures", verify.Truth.load(site))
    assert {key: counts[key] for key in ("wrong", "missed", "twice", "other_files")} == dict.fromkeys(
        ("wrong", "missed", "twice", "other_files"), 0
    ), crawl.complaints()
    check_failures(crawl, site, base)
    check_repeats(crawl, site, base)


def check_failures(crawl: Crawl, site: Path, base: str) -> None:
    """Exactly the broken pictures and the dead pages of the truth fail, each for its reason."""
    truth = _lines(site / "truth.jsonl")
    expected = {base + record["url"]: REASONS[record["reason"]] for record in truth if record["status"] != "ok"}
    dead_pages = json.loads((site / "meta.json").read_text(encoding="utf-8"))["dead_pages"]
    expected |= {base + page["url"]: ("http", 404) for page in dead_pages}
    assert {record["url"]: (record["reason"], record["status"]) for record in crawl.feed("failures")} == expected


def check_repeats(crawl: Crawl, site: Path, base: str) -> None:
    """For every target, the parents of all its sightings are those of the truth, and the paths are walks on links.

    Which of two sightings comes first depends on which page is faster, so that the pairs are compared as sets.
    """
    told: dict[str, list[str]] = defaultdict(list)
    for record in crawl.feed("repeats"):
        if record["by"] != "url":
            continue
        told[record["url"]] = told[record["url"]] or [record["original"]["parent"]]
        told[record["url"]].append(record["repeat"]["parent"])
        for side in ("original", "repeat"):
            path = record[side]["path"]
            assert path[0] == f"{base}/"
            assert path[-2] == record[side]["parent"]
    expected: dict[str, list[str]] = defaultdict(list)
    for record in _lines(site / "repeats.jsonl"):
        url = base + record["target"]
        expected[url] = expected[url] or [base + record["first_page"]]
        expected[url].append(base + record["page"])
    assert {url: sorted(parents) for url, parents in told.items()} == {
        url: sorted(parents) for url, parents in expected.items()
    }


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
