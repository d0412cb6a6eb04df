from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest

from tests.conftest import Serve
from tests.frontier.killing import Plan, asked_again, crawl, crawl_killed, differences, done_pictures, start
from tests.sites.site import Site

CONFIG = """\
entry: {base}/
order: {order}
layers: ['/album/\\d+/(\\?p=\\d)?$', '/photo/\\d+\\.html$', '/full/']
next_page: Next
fetch: {{concurrency: 4}}
"""


@pytest.fixture
def site() -> Site:
    """Four albums of two pages with twelve photos each; the last album repeats one, two pictures fail."""
    site = Site()
    for album in range(4):
        for page in (1, 2):
            photos = [album * 12 + (page - 1) * 6 + place for place in range(6)]
            links = "".join(f'<a href="/photo/{photo}.html">{photo}</a>' for photo in photos)
            if (album, page) == (3, 2):
                links += '<a href="/photo/0.html">again</a>'
            more = f'<a href="/album/{album}/?p=2">Next</a>' if page == 1 else ""
            site.page(f"/album/{album}/" + ("?p=2" if page == 2 else ""), links + more)
            for photo in photos:
                picture = f"/full/{photo % 12}.jpg?id={photo}"
                if photo in (5, 30):
                    site.missing(picture)
                else:
                    site.picture(picture, photo)
                site.page(f"/photo/{photo}.html", f'<img src="{picture}">')
    site.page("/", "".join(f'<a href="/album/{album}/">{album}</a>' for album in range(4)))
    return site


@pytest.mark.parametrize("order", ["breadth", "depth"])
def test_killed_crawl_ends_like_one_left_alone(order: str, site: Site, serve: Serve, tmp_path: Path) -> None:
    """After three kills -9 the same command ends with the same result, and asks for no stored picture again."""
    server = serve(site.write(tmp_path / "site"))
    config = tmp_path / "site.yaml"
    config.write_text(CONFIG.format(base=server.base, order=order), encoding="utf-8")
    alone, killed = tmp_path / "alone", tmp_path / "killed"
    seconds = crawl(config, alone)
    told = crawl_killed(config, killed, server, Plan(seconds, kills=3, seed=len(order)))
    assert told.wrong == []
    assert differences(alone, killed) == []


def test_interrupted_crawl_goes_on(site: Site, serve: Serve, tmp_path: Path) -> None:
    """Ctrl-C in the middle, once and then twice in a row: no Traceback, and the next run ends as one left alone."""
    server = serve(site.write(tmp_path / "site"))
    config, output = tmp_path / "site.yaml", tmp_path / "interrupted"
    config.write_text(CONFIG.format(base=server.base, order="breadth"), encoding="utf-8")
    crawl(config, tmp_path / "alone")
    for times in (1, 2):
        asked, done = len(server.requests()), done_pictures(output)
        process = start(config, output)
        while len(server.requests()) < asked + 20 and process.poll() is None:
            time.sleep(0.005)
        for _ in range(times):
            process.send_signal(signal.SIGINT)
            time.sleep(0.02)
        process.wait(30)
        assert asked_again(server, asked, done) == []
    asked, done = len(server.requests()), done_pictures(output)
    assert start(config, output).wait() == 0
    assert asked_again(server, asked, done) == []
    assert "Traceback" not in output.with_name("interrupted.log").read_text(encoding="utf-8")
    assert differences(tmp_path / "alone", output) == []
