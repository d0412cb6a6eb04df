from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from picspider.config.load import load_config
from picspider.demo import serve_gallery
from tests.conftest import Serve
from tests.crawls.running import ROOT, picspider_crawl
from tests.propose.local_sites import SITES, NotHereError, digest
from tests.sites.site import Site

QUICK = ("demo", "decoys", "scripted", "next-by-text", "page-source", "one script", "plain, both")


def propose(*arguments: str) -> subprocess.CompletedProcess[str]:
    """``picspider propose`` as a user starts it."""
    command = [sys.executable, "-m", "picspider", "propose", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("name", QUICK)
def test_proposed_config_gets_the_pictures(name: str, serve: Serve, tmp_path: Path) -> None:
    """The config, unedited, gets exactly the pictures that a person would want of the site."""
    try:
        site = SITES[name](tmp_path / "site")
    except NotHereError as missing:
        pytest.skip(str(missing))
    server = serve(site.root)
    config = tmp_path / "proposed.yaml"
    done = propose(server.base + site.entry, "-o", str(config))
    assert done.returncode == 0, done.stderr
    asked = [request.path for request in server.requests()]
    assert sum(path != "/robots.txt" for path in asked) <= 25 + 60
    crawl = picspider_crawl(config, tmp_path / "output")
    got = {digest(body) for body in crawl.stored().values()}
    assert got - site.either == site.wanted, crawl.complaints()


def test_text_on_standard_output() -> None:
    """Without a file the config goes to standard output, and loads; nothing is downloaded."""
    with serve_gallery() as base:
        done = propose(f"{base}/")
    assert done.returncode == 0, done.stderr
    config = load_config(done.stdout)
    assert config.entry == (f"{base}/",)
    assert len(config.layers) == 3
    assert "Tried on a few pages" in done.stdout


def test_robots_are_obeyed(serve: Serve, tmp_path: Path) -> None:
    """What robots.txt forbids is not asked for: here the way to the pictures."""
    site = Site()
    site.page("/", '<a href="/private/1.html">1</a><a href="/private/2.html">2</a>')
    site.files["/robots.txt"] = b"User-agent: *\nDisallow: /private/\n"
    server = serve(site.write(tmp_path / "site"))
    done = propose(f"{server.base}/")
    assert done.returncode == 1
    assert "no pictures" in done.stderr
    assert {request.path for request in server.requests()} == {"/robots.txt", "/"}


def test_what_cannot_be_proposed(tmp_path: Path) -> None:
    """A wrong address, an unknown host and a file that is there are told in one line."""
    there = tmp_path / "there.yaml"
    there.write_text("entry: x", encoding="utf-8")
    for arguments in (("gallery",), ("http://nowhere.invalid/",), ("http://127.0.0.1/", "-o", str(there))):
        done = propose(*arguments)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done.stderr
    assert there.read_text(encoding="utf-8") == "entry: x"


def test_address_of_a_picture(serve: Serve, tmp_path: Path) -> None:
    """A picture is no page to begin at, which is told without a word of rules that are not there yet."""
    site = Site()
    site.picture("/full/1.jpg", 1)
    server = serve(site.write(tmp_path / "site"))
    done = propose(f"{server.base}/full/1.jpg")
    assert done.returncode == 1
    assert "name a page that shows or links pictures" in done.stderr
    assert "layer" not in done.stderr
