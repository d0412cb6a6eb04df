from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Serve
from tests.crawls.running import Crawl, scrapy_crawl
from tests.nginx import Server
from tests.sites.site import Site

ALBUMS = ("Steam engines", "Alpine flowers in May", "Ships", "Old coins", "The gentian, an alpine flower", "Maps")
ON_TOPIC = (1, 4)
PHOTOS = 2


@pytest.fixture
def server(serve: Serve, tmp_path: Path) -> Server:
    """Albums on two list pages; of each photo there is a page with no words of its own."""
    site = Site()
    lists = ("/", "/list2.html")
    for number, path in enumerate(lists):
        here = range(3 * number, 3 * number + 3)
        links = "".join(f'<p><a href="/album/{album}/">{ALBUMS[album]}</a></p>' for album in here)
        site.page(path, links + ('<a href="/list2.html">Next</a>' if not number else ""), head="<title>Gallery</title>")
    for album, name in enumerate(ALBUMS):
        photos = "".join(f'<a href="/photo/{album}-{photo}.html">{photo}</a> ' for photo in range(PHOTOS))
        site.page(f"/album/{album}/", photos, head=f"<title>{name}</title>")
        for photo in range(PHOTOS):
            picture = site.picture(f"/full/{album}-{photo}.jpg", album * PHOTOS + photo)
            site.page(f"/photo/{album}-{photo}.html", f'<img src="{picture}">', head="<title>Photo</title>")
    return serve(site.write(tmp_path / "site"))


def crawl(server: Server, output: Path, layers: list[str] | None = None, **more: Any) -> Crawl:
    """Crawl the albums, one request at a time, about alpine flowers."""
    config = {
        "entry": f"{server.base}/",
        "layers": layers or ["/album/", "/photo/", "/full/"],
        "next_page": "Next",
        "fetch": {"concurrency": 1},
        "topic": {"text": "alpine flowers"},
        **more,
    }
    return scrapy_crawl(json.dumps(config), output)


def albums_asked(server: Server, kind: str) -> list[int]:
    """The albums whose *kind* of URL was asked for, in order."""
    found = [re.match(rf"/{kind}/(\d+)", request.path) for request in server.requests()]
    return [int(match[1]) for match in found if match]


def test_best_album_first(server: Server, tmp_path: Path) -> None:
    """`order: best` takes the albums on the topic with their pictures first, from the second list page, too."""
    told = crawl(server, tmp_path / "output", order="best")
    assert set(albums_asked(server, "album")[:2]) == set(ON_TOPIC), told.complaints()
    assert set(albums_asked(server, "full")[: 2 * PHOTOS]) == set(ON_TOPIC)
    assert len(told.feed("pictures")) == len(ALBUMS) * PHOTOS, "without a threshold the topic only ranks"
    assert told.feed("skips") == []


@pytest.mark.parametrize("order", ["best", "breadth"])
def test_threshold_skips_albums(order: str, server: Server, tmp_path: Path) -> None:
    """With a threshold, albums off the topic are skips with their score; what stands below those on it is taken."""
    told = crawl(server, tmp_path / "output", order=order, topic={"text": "alpine flowers", "threshold": 2.0})
    skips = told.feed("skips")
    assert {skip["reason"] for skip in skips} == {"off-topic"}
    off = {server.base + f"/album/{album}/" for album in range(len(ALBUMS)) if album not in ON_TOPIC}
    assert {skip["url"] for skip in skips} == off, told.complaints()
    assert set(albums_asked(server, "photo")) == set(ON_TOPIC)
    assert len(told.feed("pictures")) == len(ON_TOPIC) * PHOTOS


def test_page_of_albums_stays_when_one_of_them_is_on_the_topic(server: Server, tmp_path: Path) -> None:
    """A list that says nothing itself leads on by the text of its links; one without such links is dropped."""
    root = tmp_path / "site"
    (root / "index.html").write_text('<a href="/list2.html">more</a> <a href="/list3.html">others</a>')
    (root / "list3.html").write_text('<a href="/album/0/">Steam engines</a>')
    layers = [r"/list\d", "/album/", "/photo/", "/full/"]
    told = crawl(server, tmp_path / "output", layers, topic={"text": "alpine flowers", "threshold": 2.0})
    assert {skip["url"].removeprefix(server.base) for skip in told.feed("skips")} == {
        "/list3.html", "/album/3/", "/album/5/"
    }  # fmt: skip
    assert set(albums_asked(server, "full")) == {4}
