"""Every block of YAML that a user may copy."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from picspider.config.load import load_any_config
from tests.conftest import ROOT, Serve
from tests.docs.local_sites import serving_for
from tests.docs.markdown import Block, blocks_of, by_id

CONFIGS = blocks_of("yaml")
WHOLE = [block for block in CONFIGS if "entry:" in block.text and block.runs]
# A page that explains one section shows only that section.
REST = "entry: https://gallery.example/\nlayers: ['/album/\\d+/$', '/photo/\\d+\\.html$', '/full/']\n"


def completed(block: Block) -> str:
    """A whole config: that of the block, or a plain one with the sections of the block."""
    if "entry:" in block.text:
        return block.text
    return block.text + (REST if "layers:" not in block.text else REST.splitlines()[0] + "\n")


@pytest.mark.parametrize("block", by_id(CONFIGS))
def test_config_is_accepted(block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every block is a config, or sections of one, that the loader takes."""
    monkeypatch.chdir(tmp_path)
    for name in ("cookies.txt", "topic.txt"):
        (tmp_path / name).write_text("# Netscape HTTP Cookie File\n", encoding="utf-8")
    load_any_config(completed(block))


def test_whole_configs_crawl_their_sites(serve: Serve, tmp_path: Path) -> None:
    """Every whole config is crawled: it finds pictures, and of its site only those that are there to be found."""
    with serving_for([block.text for block in WHOLE], serve, tmp_path) as here:
        folders = {block: tmp_path / f"output-{number}" for number, block in enumerate(WHOLE)}
        jobs = []
        for block, folder in folders.items():
            config = here.localized(block.text)
            assert ".example" not in config, f"{block.id}: no such site is served here"
            jobs.append(("focused" if "layers:" not in config else "layered", config, str(folder)))
        log = crawl_all(jobs)
        for block, folder in folders.items():
            check(block, folder, here.sites, log)


def crawl_all(jobs: list[tuple[str, str, str]]) -> str:
    """Crawl all of them in one process; returns its log."""
    environment = {**os.environ, "SCRAPY_SETTINGS_MODULE": "picspider.settings", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.docs.crawl_all"],
        input=json.dumps(jobs), cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stderr


def check(block: Block, folder: Path, sites: object, log: str) -> None:
    """Pictures were found, and failures only where the site has them."""
    feeds = {name: json.loads((folder / f"{name}.json").read_text("utf-8")) for name in ("pictures", "failures")}
    assert feeds["pictures"], f"{block.id}: no picture\n{log[-3000:]}"
    site = next((site for host, site in sites.items() if f"://{host}.example" in block.text), None)
    if site is not None:
        paths = {urlsplit(record["url"]).path for record in feeds["failures"]}
        assert paths <= site.failures.keys(), f"{block.id}: {feeds['failures']}"
