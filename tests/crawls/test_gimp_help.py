from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import pytest
from lxml import html

from tests.conftest import Serve
from tests.crawls.conftest import Package
from tests.crawls.running import scrapy_crawl

CONFIG = """\
entry: {base}/en/index.html
layers:
  - '/en/images/.*\\.(png|jpg)$'
next_page: {{rel: next}}
"""


def test_gimp_help(package: Package, serve: Serve, tmp_path: Path) -> None:
    """A four-line config gets every picture of the GIMP help: 685 pages, each with a next link but the last."""
    root = package("gimp-help-en") / "usr/share/gimp/2.0/help"
    pages = sorted((root / "en").glob("*.html"))
    uses = [source for page in pages for source in set(html.parse(page).xpath("//*[local-name()='img']/@src"))]
    if (len(pages), len(set(uses))) != (685, 1963):
        pytest.fail("another edition of the GIMP help: look at the figures again")
    crawl = scrapy_crawl(CONFIG.format(base=serve(root).base), tmp_path / "output")

    expected = {source: (root / "en" / source).read_bytes() for source in set(uses)}
    place = re.compile(r".*/en/(images/.*)")
    stored = crawl.stored()
    for record in crawl.feed("pictures"):
        assert stored.pop(record["file"]) == expected.pop(place.sub(r"\1", record["url"]))
    assert not stored
    by_content = [record for record in crawl.feed("repeats") if record["by"] == "content"]
    for record in by_content:
        assert sha256(expected.pop(place.sub(r"\1", record["url"]))).hexdigest() == record["sha256"]
    assert not expected, crawl.complaints()
    assert len(crawl.feed("pictures")) + len(crawl.feed("repeats")) == len(uses), "every sighting is told"
    assert crawl.feed("failures") == crawl.feed("skips") == []
    assert {node["reason"] for node in crawl.feed("tree") if node["kind"] == "page"} == {None}
    assert sum(node["kind"] == "page" for node in crawl.feed("tree")) == 685
