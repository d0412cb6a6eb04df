"""Every worked example in configs/ against a site of its shape."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from tests.conftest import Serve
from tests.crawls.checking import check
from tests.crawls.running import ROOT, Crawl, scrapy_crawl
from tests.nginx import Server
from tests.sites.site import Site
from tests.sites.worked import site_of

EXAMPLES = sorted(path.stem for path in (ROOT / "configs").glob("*.yaml") if path.stem not in {"demo", "topic"})


def crawl_example(name: str, serve: Serve, tmp_path: Path, *options: str) -> tuple[Crawl, Site, Server]:
    """Build and serve the site of that example, and crawl it by the example's text."""
    site = site_of(name)
    server = serve(site.write(tmp_path / "site"))
    text = (ROOT / "configs" / f"{name}.yaml").read_text(encoding="utf-8")
    local = re.sub(r"https://\w+\.example", server.base, text)
    return scrapy_crawl(local, tmp_path / "output", *options), site, server


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name: str, serve: Serve, tmp_path: Path) -> None:
    """A worked example gets every picture of its site byte for byte, and accounts for everything else."""
    crawl, site, server = crawl_example(name, serve, tmp_path)
    check(crawl, site, server)
    referers = {request.referer for request in server.requests() if request.path in site.pictures}
    assert "-" not in referers, "pictures are asked for with the page they were found on"


def test_depth_order_finishes_a_chapter_first(serve: Serve, tmp_path: Path) -> None:
    """With order: depth, the pictures of one chapter are fetched before the next chapter is opened."""
    _, site, server = crawl_example("depth-first", serve, tmp_path)
    scans = [request.path.rsplit("/", 1)[0] for request in server.requests() if request.path in site.pictures]
    changes = sum(first != second for first, second in pairwise(scans))
    assert changes == 3


def test_sidecars(serve: Serve, tmp_path: Path) -> None:
    """sidecar: true, and only that, puts the facts of each picture into a JSON file in the folder sidecars."""
    crawl, _, _ = crawl_example("lazy-load", serve, tmp_path / "with")
    for record in crawl.feed("pictures"):
        facts = json.loads((crawl.output / "sidecars" / f"{record['file']}.json").read_text(encoding="utf-8"))
        assert {key: facts[key] for key in ("url", "sha256", "width")} == {
            key: record[key] for key in ("url", "sha256", "width")
        }
    crawl, _, _ = crawl_example("thumbnails", serve, tmp_path / "without")
    assert not list((crawl.output / "pictures").rglob("*.json"))
