from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import Serve
from tests.crawls.running import picspider_crawl, scrapy_crawl
from tests.sites.site import Site


@pytest.fixture
def config(serve: Serve, tmp_path: Path) -> Path:
    """One picture on the entry page."""
    site = Site()
    site.page("/", f'<img src="{site.picture("/a.jpg", 1)}">')
    path = tmp_path / "site.yaml"
    path.write_text(f"entry: {serve(site.write(tmp_path / 'site')).base}/\nlayers: ['\\.jpg$']\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("options", [(), ("-q",)], ids=["", "quiet"])
def test_feed_that_cannot_be_written(config: Path, tmp_path: Path, options: tuple[str, ...]) -> None:
    """The end of the run tells it, a quiet one too; the next run, when nothing is in the way, has all of them."""
    output = tmp_path / "out"
    (output / "pictures.json").mkdir(parents=True)
    stopped = picspider_crawl(config, output, *options)
    assert stopped.exit_code == 1
    told = f"Feeds     not all could be written, see {output / 'crawl.log'}; the next run writes them"
    assert told in stopped.log.splitlines()
    (output / "pictures.json").rmdir()
    whole = picspider_crawl(config, output, *options)
    assert (whole.exit_code, len(whole.feed("pictures")), len(whole.feed("tree"))) == (0, 1, 2), whole.log


@pytest.mark.parametrize("place", ["a-file/x.csv", "out/pictures.csv", "/dev/full"])
def test_further_feed(config: Path, tmp_path: Path, place: str) -> None:
    """Scrapy's `-o` gives the pictures; one that cannot be written is told, and the others come all the same."""
    (tmp_path / "a-file").touch()
    crawl = scrapy_crawl(str(config), tmp_path / "out", "-o", f"{place if place[0] == '/' else tmp_path / place}:csv")
    assert (len(crawl.feed("pictures")), len(crawl.feed("tree"))) == (1, 2)
    if place.startswith("out"):
        assert (tmp_path / place).read_text(encoding="utf-8").count("a.jpg") > 0
    else:
        assert re.search(f"ERROR: Error (writing|storing).*{place}", crawl.log)
