from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Serve
from tests.crawls.running import run

PAGE = """<div id=menu><a href="/full/9.png">logo</a></div>
<div id=main><a href="/full/1.png">Sunset</a><a href="/thumb/2.png">two</a><a href="/album/2/">more</a>
<img src="/full/s.png" srcset="/full/m.png 400w, /full/l.png 900w"></div>"""
CONFIG = """
entry: {base}/
layers:
  - links: /album/\\d+/$
    name: album
    exclude: [/album/0/, /album/6]
  - links: /(full|thumb)/[^/]+\\.png$
    within: '#main'
    rewrite: {{from: /thumb/, to: /full/}}
next_page: {{url: /album/2/}}
fetch: {{allowed_hosts: [127.0.0.1]}}
pictures: {{name: '{{layer1}}/{{index}}-{{stem}}{{ext}}'}}
output: {output}
"""


class Gallery:
    """A small site with its config."""

    def __init__(self, base: str, folder: Path) -> None:
        self.base, self.config = base, folder / "site.yaml"
        self.config.write_text(CONFIG.format(base=base, output=folder / "out"), encoding="utf-8")

    def words(self, path: str, on: str | None = None, *options: str) -> str:
        """What is printed about a URL."""
        url = path if ":" in path else self.base + path
        page = ("--on", self.base + on) if on else ()
        done = run("-m", "picspider", "explain", str(self.config), url, *page, *options)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def told(self, path: str, on: str | None = None) -> dict[str, Any]:
        """The same as JSON."""
        data = json.loads(self.words(path, on, "--json"))
        assert isinstance(data, dict)
        return data


@pytest.fixture
def gallery(serve: Serve, tmp_path: Path) -> Gallery:
    """The site, served; it has not been crawled yet."""
    root = tmp_path / "www"
    for album in (1, 2):
        (root / f"album/{album}").mkdir(parents=True)
        (root / f"album/{album}/index.html").write_text(PAGE)
    (root / "index.html").write_text('<a href="/album/1/">Coast</a><a href="/album/6/">no</a>')
    (root / "robots.txt").write_text("User-agent: *\nDisallow: /full/1\n")
    return Gallery(serve(root).base, tmp_path)


def test_a_rule_that_takes_it(gallery: Gallery) -> None:
    """What the rule matches is named; nothing is fetched without --on."""
    words, told = gallery.words("/album/12/"), gallery.told("/album/12/")
    at = len(gallery.base)
    assert "layer 1 (album): taken\n  links: matches '/album/12/'" in words
    assert "not seen by a crawl yet" in words
    assert [layer["takes"] for layer in told["layers"]] == [True, False]
    assert told["layers"][0]["match"]["start"] == at


def test_a_near_miss_says_where_it_stops(gallery: Gallery) -> None:
    """The regex fits up to a character."""
    words, told = gallery.words("/album/12/3"), gallery.told("/album/12/3")
    at = len(gallery.base)
    assert "'/album/12/' fits, but not with '3' behind it" in words
    assert told["layers"][0]["near"] == {"start": at, "end": at + 10, "complete": True}


def test_an_exclude_and_a_next_page(gallery: Gallery) -> None:
    """Which exclude refuses it, and what the paging rule says."""
    words = gallery.words("/album/6/")
    assert "exclude: '/album/6' refuses it" in words
    told = gallery.told("/album/2/")
    assert told["layers"][1]["next_page"] is True


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://127.0.0.1/full/1.png", "scheme"),
        ("http://elsewhere.example/full/1.png", "offsite"),
        ("javascript:void(0)", "scheme"),
    ],
)
def test_what_is_refused_before_it_is_asked(gallery: Gallery, url: str, reason: str) -> None:
    """Scheme and host are judged as the crawl judges them."""
    words, told = gallery.words(url), gallery.told(url)
    assert told["refused"]["reason"] == reason
    assert f"refused before it is asked ({reason})" in words


def test_on_a_page(gallery: Gallery) -> None:
    """Within, rewrite, size and robots.txt need the page."""
    sunset = gallery.told("/full/1.png", "/album/1/")
    picture = sunset["layers"][1]
    assert picture["takes"] is True
    assert picture["on_page"] == {"found": True, "within": True, "larger": None}
    assert sunset["robots"]["reason"] == "robots"
    words, logo = gallery.words("/full/9.png", "/album/1/"), gallery.told("/full/9.png", "/album/1/")
    assert logo["layers"][1]["on_page"]["within"] is False
    assert logo["robots"] is None
    assert "within: it is not inside the selector" in words
    small = gallery.told("/full/m.png", "/album/1/")
    assert small["layers"][1]["on_page"]["larger"] == f"{gallery.base}/full/l.png"
    assert small["layers"][1]["takes"] is False
    words = gallery.words("/thumb/2.png", "/album/1/")
    assert f"rewrite: becomes {gallery.base}/full/2.png" in words
    words = gallery.words("/full/none.png", "/album/1/")
    assert "layer 2 (picture): not taken" in words
    assert "it is not among the links of the page" in words


def test_a_page_that_cannot_be_had(gallery: Gallery) -> None:
    """It is told, and the rest is explained without it."""
    words, told = gallery.words("/full/1.png", "/album/none/"), gallery.told("/full/1.png", "/album/none/")
    assert told["page_failed"] == {"reason": "http", "message": "the server answered with status 404"}
    assert "layer 2 (picture): taken" in words


def test_after_a_crawl(gallery: Gallery) -> None:
    """What is known is a repeat; only the rules for the page's layer count; the name has the album's text."""
    run("-m", "picspider", "crawl", str(gallery.config), "-q")
    words, told = gallery.words("/album/1/"), gallery.told("/album/1/")
    assert told["known"]["state"] == "done"
    assert f"path: {gallery.base}/ → {gallery.base}/album/1/" in words
    told = gallery.told("/full/1.png", "/album/1/")
    assert [layer["layer"] for layer in told["layers"]] == [2]
    assert told["known"]["reason"] == "robots"
    assert told["file"]["file"] == "Coast/1-1.png"
    thumb = gallery.told("/thumb/2.png", "/album/1/")
    assert thumb["known"]["url"] == f"{gallery.base}/full/2.png"
    assert thumb["file"]["file"] == "Coast/2-2.png"


def test_next_pages_of_an_entry_page(gallery: Gallery) -> None:
    """On an entry page only the rules for its links count, and it is told once what is a next page there."""
    words = gallery.words("/album/2/", "/")
    assert f"{gallery.base}/ is an entry page (layer 0), so only the rules for its links count" in words
    assert words.count("next page") == 1
    assert "next page: no\n" in words
    assert gallery.words("/album/2/").count("next page: yes, of layer 0, 1\n") == 1
    assert [layer["layer"] for layer in gallery.told("/album/2/", "/")["layers"]] == [1]


def test_name_of_a_picture_that_a_crawl_has_seen(gallery: Gallery) -> None:
    """Its album is known from the crawl, without the page."""
    run("-m", "picspider", "crawl", str(gallery.config), "-q")
    words = gallery.words("/full/1.png")
    assert "file name: Coast/1-1.png" in words
    assert "known later" not in words
    assert "seen by the crawl (id " in words


def test_wrong_arguments(gallery: Gallery) -> None:
    """A URL that is none is a usage error, told in one line."""
    done = run("-m", "picspider", "explain", str(gallery.config), "album/1")
    assert done.returncode == 1
    assert "Traceback" not in done.stdout
