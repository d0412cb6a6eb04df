"""Several processes at one crawl, over a real PostgreSQL."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sqlalchemy import create_engine, text

from picspider.frontier.store.store import Store
from tests.conftest import Serve
from tests.crawls.running import ROOT, TIME_LIMIT_SECONDS
from tests.nginx import Server
from tests.sites.site import Site

CONFIG = """\
entry: {base}/
layers: ['/album/\\d+/$', '/photo/\\d+\\.html$', '\\.jpg$']
fetch: {{concurrency: 4, delay: 0}}
store: {database}
"""
FEEDS = ("tree", "pictures", "failures", "repeats", "skips")
ALBUMS, PHOTOS = 8, 25


def site() -> Site:
    """Albums of photos; the last photo of each album shows the same bytes as the first one of the site."""
    site = Site()
    site.page("/", "".join(f'<a href="/album/{album}/">{album}</a>' for album in range(ALBUMS)))
    for album in range(ALBUMS):
        photos = [album * PHOTOS + place for place in range(PHOTOS)]
        site.page(f"/album/{album}/", "".join(f'<a href="/photo/{photo}.html">{photo}</a>' for photo in photos))
        for photo in photos:
            last = photo % PHOTOS == PHOTOS - 1
            picture = site.picture(f"/{photo}/{photo % PHOTOS}.jpg", 0 if last else photo)
            site.page(f"/photo/{photo}.html", f'<img src="{picture}">')
    return site


def start(config: str, output: Path, *options: str) -> subprocess.Popen[str]:
    """One worker."""
    environment = {**os.environ, "SCRAPY_SETTINGS_MODULE": "picspider.settings", "PYTHONPATH": str(ROOT)}
    command = ["-m", "scrapy", "crawl", "layered", "-a", f"config={config}", "-a", f"output={output}"]
    return subprocess.Popen(
        [sys.executable, *command, "-s", "PICSPIDER_WORKER_DEAD_SECONDS=4", *options],
        cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def finished(worker: subprocess.Popen[str]) -> str:
    """The log of *worker* at its end; it is killed when it does not come to one."""
    try:
        return worker.communicate(timeout=TIME_LIMIT_SECONDS)[0]
    except subprocess.TimeoutExpired:
        worker.kill()
        return worker.communicate()[0]


def pictures_asked(server: Server) -> Counter[str]:
    """How often each picture was requested."""
    return Counter(request.path for request in server.requests() if request.path.endswith(".jpg"))


def check_feeds(outputs: list[Path], expected: int) -> None:
    """One of the workers has written the feeds, and they tell everything."""
    wrote = [output for output in outputs if (output / "pictures.json").exists()]
    assert len(wrote) == 1, "exactly one worker writes the feeds"
    feeds = {name: json.loads((wrote[0] / f"{name}.json").read_text(encoding="utf-8")) for name in FEEDS}
    assert len(feeds["pictures"]) == expected
    assert {record["state"] for record in feeds["tree"]} == {"done"}
    assert len({record["file"] for record in feeds["pictures"]}) == expected
    assert len({record["sha256"] for record in feeds["pictures"]}) == expected, "the same bytes are stored once"
    assert len(feeds["repeats"]) == ALBUMS * PHOTOS - expected
    assert (wrote[0] / "report.html").exists()


def test_two_workers_share_a_crawl(database: str, serve: Serve, tmp_path: Path) -> None:
    """Two processes fetch each page and picture once, both take part, and the last one writes the feeds."""
    built = site()
    server = serve(built.write(tmp_path / "site"))
    config = CONFIG.format(base=server.base, database=database)
    outputs = [tmp_path / "first", tmp_path / "second"]
    workers = [start(config, output, "-s", "DOWNLOAD_DELAY=0.05") for output in outputs]
    logs = [finished(worker) for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0], "\n".join(log[-2000:] for log in logs)
    asked = pictures_asked(server)
    assert set(asked) == set(built.pictures), "\n".join(log[-2000:] for log in logs)
    assert set(asked.values()) == {1}, "each picture is fetched once"
    check_feeds(outputs, len(set(built.pictures.values())))
    for output in outputs:
        assert any((output / "pictures").rglob("*.jpg")), "both workers took part"


def test_killed_worker_is_replaced(database: str, serve: Serve, tmp_path: Path) -> None:
    """One of two workers is killed -9: the other one finishes the job and writes the feeds."""
    built = site()
    server = serve(built.write(tmp_path / "site"))
    config = CONFIG.format(base=server.base, database=database)
    outputs = [tmp_path / "first", tmp_path / "second"]
    workers = [start(config, output, "-s", "DOWNLOAD_DELAY=0.02") for output in outputs]
    deadline = time.monotonic() + 120
    while len(server.requests()) < 120 and time.monotonic() < deadline:
        time.sleep(0.05)
    workers[0].send_signal(signal.SIGKILL)
    workers[0].communicate()
    log = finished(workers[1])
    assert workers[1].returncode == 0, log[-3000:]
    assert set(pictures_asked(server)) == set(built.pictures), log[-3000:]
    check_feeds([outputs[1]], len(set(built.pictures.values())))
    with create_engine(database).connect() as connection:
        assert dict(connection.execute(text("SELECT state, count(*) FROM node GROUP BY state")).all()) == {
            2: len(built.pages) + len(built.pictures)
        }
        assert connection.scalar(text("SELECT count(*) FROM worker")) == 0
        assert connection.scalar(text("SELECT count(*) FROM claim")) == 0


def test_workers_that_begin_at_once(database: str) -> None:
    """What several workers remember in the same moment is remembered, and none of them fails."""
    stores = [Store(database) for _ in range(4)]
    with ThreadPoolExecutor(len(stores)) as threads:
        for number in range(50):
            list(threads.map(lambda store, key=f"key {number}": store.set_meta(key, "value"), stores))
    assert all(stores[0].get_meta(f"key {number}") == "value" for number in range(50))
    for store in stores:
        store.close()


def test_database_that_restarts_is_waited_for(database: str, serve: Serve, tmp_path: Path) -> None:
    """The database drops all its clients, several times in mid-crawl: nothing is lost, nothing asked for twice."""
    built = site()
    server = serve(built.write(tmp_path / "site"))
    output = tmp_path / "out"
    worker = start(CONFIG.format(base=server.base, database=database), output, "-s", "DOWNLOAD_DELAY=0.02")
    for requests in (20, 100, 180):
        deadline = time.monotonic() + 60
        while len(server.requests()) < requests and time.monotonic() < deadline:
            time.sleep(0.05)
        with create_engine(database).connect() as connection:
            others = "FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
            dropped = connection.execute(text(f"SELECT pg_terminate_backend(pid) {others}")).all()
            assert len(dropped) >= 2, "those of the worker"
    log = finished(worker)
    assert worker.returncode == 0, log[-3000:]
    asked = pictures_asked(server)
    assert set(asked) == set(built.pictures), log[-3000:]
    assert set(asked.values()) == {1}, log[-3000:]
    check_feeds([output], len(set(built.pictures.values())))
