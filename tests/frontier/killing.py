"""Crawls that are killed at random moments and started again, compared with one that was left alone."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.nginx import Server

ROOT = Path(__file__).parents[2]
FEEDS = ("tree", "pictures", "failures", "repeats", "skips")
PICTURE, DONE = 1, 2
# What differs between two right crawls of one site: ids, times, and what was counted on the way.
LEFT_OUT = {"id", "time", "attempts", "message"}


@dataclass
class Killed:
    """A crawl that was killed: how often, and what was wrong."""

    kills: int = 0
    wrong: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Plan:
    """How to kill: within the *seconds* that a crawl takes, up to *kills* times, at moments drawn by *seed*."""

    seconds: float
    kills: int
    seed: int


def start(config: Path, output: Path) -> subprocess.Popen[bytes]:
    """Start a crawl in a process group of its own; its log goes to OUTPUT.log."""
    environment = {**os.environ, "SCRAPY_SETTINGS_MODULE": "picspider.settings", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "scrapy", "crawl", "layered", "-a", f"config={config}", "-a", f"output={output}"]
    with output.with_name(f"{output.name}.log").open("ab") as log:
        return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True)


def crawl(config: Path, output: Path) -> float:
    """A crawl that is left alone; how long it took in seconds."""
    began = time.monotonic()
    code = start(config, output).wait()
    assert code == 0, output.with_name(f"{output.name}.log").read_text(encoding="utf-8")[-3000:]
    return time.monotonic() - began


def crawl_killed(config: Path, output: Path, server: Server, plan: Plan) -> Killed:
    """Crawl, killed as planned, then to the end. A crawl that ends before it is killed is let be."""
    draw = random.Random(plan.seed)
    told = Killed()
    ended = False
    while not ended:
        done, asked = done_pictures(output), len(server.requests())
        process = start(config, output)
        try:
            last = told.kills == plan.kills
            process.wait(None if last else draw.uniform(0.15, 1.0) * plan.seconds)
            ended = True
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            told.kills += 1
        told.wrong += asked_again(server, asked, done)
    return told


def done_pictures(output: Path) -> set[str]:
    """Paths of the pictures whose rows are done."""
    store = output / "crawl.db"
    if not store.exists():
        return set()
    connection = sqlite3.connect(f"{store.as_uri()}?mode=ro", uri=True)
    try:
        query = "SELECT url FROM node WHERE kind = ? AND state = ?"
        return {path_of(url) for (url,) in connection.execute(query, (PICTURE, DONE))}
    except sqlite3.OperationalError:  # killed before there were tables
        return set()
    finally:
        connection.close()


def path_of(url: str) -> str:
    """Path and query of *url*, as they stand in the server's log."""
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def asked_again(server: Server, since: int, done: set[str]) -> list[str]:
    """Pictures of *done* rows that were requested after the first *since* requests."""
    again = {request.path for request in server.requests()[since:]} & done
    return [f"requested again although done: {path}" for path in sorted(again)]


def differences(alone: Path, killed: Path) -> list[str]:
    """What differs between two output folders that should tell the same."""
    found = []
    for feed in FEEDS:
        first, second = facts(alone, feed), facts(killed, feed)
        found += [f"{feed}: only in the crawl left alone: {record}" for record in sorted(first - second)[:3]]
        found += [f"{feed}: only in the killed crawl: {record}" for record in sorted(second - first)[:3]]
    return found + leftovers(killed)


def leftovers(output: Path) -> list[str]:
    """Files that should not be there, and records whose files are missing."""
    pictures = output / "pictures"
    stored = {file.relative_to(pictures).as_posix() for file in pictures.rglob("*") if file.is_file()}
    named = {record["file"] for record in _feed(output, "pictures")}
    found = [f"a file that no record speaks of: {name}" for name in sorted(stored - named)[:5]]
    found += [f"a record without its file: {name}" for name in sorted(named - stored)[:5]]
    temporary = {"partial", "crawl.lock", "crawl.db-claims", "crawl.db-claims.new"}
    return found + [
        f"a temporary file: {path}"
        for path in output.rglob("*")
        if path.name in temporary or path.name.endswith(".partial")
    ]


def facts(output: Path, feed: str) -> set[str]:
    """The records of a feed without what differs between two right crawls."""
    records = _feed(output, feed)
    urls = {record["id"]: record["url"] for record in records if "id" in record}
    return set(_told(records, urls))


def _told(records: Iterable[dict[str, Any]], urls: dict[int, str]) -> Iterable[str]:
    for record in records:
        kept = {key: value for key, value in record.items() if key not in LEFT_OUT}
        if urls and kept.get("parent") is not None:
            kept["parent"] = urls[kept["parent"]]
        if "name" not in kept:
            kept.pop("file", None)
        if isinstance(kept.get("original"), dict):
            kept["original"] = {key: value for key, value in kept["original"].items() if key != "file"}
        yield json.dumps(kept, sort_keys=True, ensure_ascii=False)


def _feed(output: Path, name: str) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = json.loads((output / f"{name}.json").read_text(encoding="utf-8"))
    return records
