"""Four workers on two Scrapyds share one crawl over a real PostgreSQL, and two of them are killed."""

from __future__ import annotations

import importlib
import logging
import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from sqlalchemy import create_engine, text

from tests.crawls.running import run
from tests.debian import CACHE
from tests.frontier.killing import crawl, differences, path_of
from tests.ops.counting_server import counting_server
from tests.ops.scrapyd_server import Scrapyd, scrapyd
from tests.ops.test_scrapyd import JOB

logger = logging.getLogger(__name__)

SIZE = "medium"  # 20,000 pictures on as many pages
PER_HOST = 16
LATENCY_SECONDS = 0.01
KILLED_AFTER_PICTURES = 5000
CONFIG = """\
entry: {base}/
layers: ['/list/\\d+\\.html$', '/g/[^/]+/(page\\d+\\.html)?$', '/g/[^/]+/p\\d+\\.html$', '/g/[^/]+/full/[^/]+$']
next_page: {{rel: next}}
fetch: {{concurrency: 16, per_host: {per_host}, retries: 0}}
"""


@pytest.fixture
def second(deployed: Scrapyd, tmp_path: Path) -> Iterator[Scrapyd]:
    """Another Scrapyd, with the egg of the first one."""
    with scrapyd(tmp_path / "two", deployed.folder / "eggs") as server:
        yield server


def test_two_of_four_workers_are_killed(
    deployed: Scrapyd, second: Scrapyd, database: str, bench: Path, tmp_path: Path
) -> None:
    """Each picture is fetched once but for those in the hands of the killed; the host's limit holds over all workers;
    the feeds are those of a single process.
    """
    site = importlib.import_module("make_site").ensure_site(CACHE / "bench", SIZE, 1)
    with counting_server(site / "www", LATENCY_SECONDS) as server:
        config = CONFIG.format(base=server.base, per_host=PER_HOST)
        (tmp_path / "alone.yaml").write_text(config, encoding="utf-8")
        (tmp_path / "shared.yaml").write_text(f"{config}store: {database}\n", encoding="utf-8")
        alone_seconds = crawl(tmp_path / "alone.yaml", tmp_path / "alone")
        assert server.most_at_once <= PER_HOST
        server.asked.clear()
        server.most_at_once = 0
        began = time.monotonic()
        jobs = _schedule(tmp_path, deployed, second)
        _wait_until_all_work(database, server.asked)
        killed = _kill_one_of_each(deployed, second)
        held, before = _held_by(database, killed), _pictures(server.asked)
        for node in (deployed, second):
            node.wait(*jobs[node.base])
        shared_seconds = time.monotonic() - began
        after = _pictures(server.asked)
        most = server.most_at_once
    twice = {path for path, count in after.items() if count > 1}
    logger.info("alone %.0f s, shared %.0f s, at most %d requests at once", alone_seconds, shared_seconds, most)
    logger.info(
        "killed at picture %d of %d; held %d rows, %d asked twice", len(before), len(after), len(held), len(twice)
    )
    logs = "\n".join(node.log(job) for node in (deployed, second) for job in jobs[node.base])
    assert not differences(tmp_path / "alone", tmp_path / "shared"), logs[-6000:]
    assert most <= PER_HOST, "politeness over all workers"
    assert set(before.values()) == {1}, "each picture once"
    assert twice <= held, "only what the killed held is fetched again"
    assert max(after.values()) <= 2
    assert len(list((tmp_path / "shared").glob("pictures.json"))) == 1
    assert (tmp_path / "shared" / "report.html").exists()
    assert "ERROR" not in logs, [line for line in logs.splitlines() if "ERROR" in line][:5]


def _schedule(folder: Path, first: Scrapyd, second: Scrapyd) -> dict[str, list[str]]:
    """Four workers by `picspider schedule`; job ids by node."""
    options = ["-o", f"output={folder / 'shared'}", "-s", "PICSPIDER_WORKER_DEAD_SECONDS=4", "--workers", "4"]
    nodes = ["--scrapyd", first.base, "--scrapyd", second.base]
    done = run("-m", "picspider", "schedule", str(folder / "shared.yaml"), *nodes, *options)
    assert done.returncode == 0, done.stdout
    assert "may hold secrets" in done.stdout, "the address of the store may hold a password"
    jobs: dict[str, list[str]] = {first.base: [], second.base: []}
    for job, log in JOB.findall(done.stdout):
        jobs[log.split("/logs/")[0]].append(job)
    assert [len(ids) for ids in jobs.values()] == [2, 2]
    return jobs


def _wait_until_all_work(database: str, asked: list[str]) -> None:
    engine = create_engine(database)
    deadline = time.monotonic() + 240
    seen = 0
    while time.monotonic() < deadline and (seen < 4 or len(_pictures(asked)) < KILLED_AFTER_PICTURES):
        time.sleep(0.1)
        with engine.connect() as connection:
            if connection.scalar(text("SELECT to_regclass('host_share')")):
                seen = max(seen, connection.scalar(text("SELECT count(*) FROM host_share WHERE places > 0")) or 0)
    engine.dispose()
    assert seen == 4, f"{seen} workers have places of the host after {len(asked)} requests"


def _kill_one_of_each(*nodes: Scrapyd) -> list[int]:
    killed = []
    for node in nodes:
        running = node.jobs("running")
        assert len(running) == 2, "in mid-crawl"
        killed.append(int(running[0]["pid"]))
        os.kill(killed[-1], signal.SIGKILL)
    return killed


def _held_by(database: str, killed: list[int]) -> set[str]:
    """Paths of the rows that the killed had taken and not ended."""
    engine = create_engine(database)
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT url, worker FROM node WHERE worker IS NOT NULL")).all()
    engine.dispose()
    return {unquote(path_of(url)) for url, worker in rows if int(worker.split(":")[1]) in killed}


def _pictures(asked: list[str]) -> Counter[str]:
    return Counter(path for path in asked if "/full/" in path)
