"""A real Scrapyd on a free port of 127.0.0.1, and a copy of the project that is deployed to it as an egg."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

from tests.conftest import ROOT

CONFIG = """\
[scrapyd]
http_port = {port}
eggs_dir = {folder}/eggs
logs_dir = {folder}/logs
items_dir = {folder}/items
dbs_dir = {folder}/dbs
poll_interval = 0.2
max_proc = {most_jobs}
jobs_to_keep = 50
"""
START_SECONDS = 60
JOB_SECONDS = 400


@dataclass(frozen=True)
class Scrapyd:
    """A running Scrapyd and its folder."""

    base: str
    folder: Path

    def get(self, path: str) -> str:
        """A page of its website."""
        with urlopen(f"{self.base}/{path}", timeout=30) as response:
            return str(response.read().decode())

    def api(self, name: str, data: dict[str, str] | None = None, **query: str) -> dict[str, Any]:
        """The answer of the API's *name*.json."""
        body = urlencode(data).encode() if data is not None else None
        try:
            with urlopen(f"{self.base}/{name}.json?{urlencode(query)}", body, timeout=60) as response:
                answer = json.load(response)
        except HTTPError as error:
            raise AssertionError(error.read().decode()) from error
        assert isinstance(answer, dict)
        assert answer["status"] == "ok", answer
        return answer

    def schedule(self, **arguments: str) -> str:
        """Schedule a job of `layered`; its id."""
        return str(self.api("schedule", {"project": "picspider", "spider": "layered", **arguments})["jobid"])

    def jobs(self, state: str) -> list[dict[str, Any]]:
        """The jobs that are pending, running or finished."""
        return list(self.api("listjobs", project="picspider")[state])

    def log(self, job: str, spider: str = "layered") -> str:
        """The log of *job*."""
        path = self.folder / "logs" / "picspider" / spider / f"{job}.log"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else f"no log of {job}"

    def wait(self, *jobs: str) -> None:
        """Until *jobs* are finished."""
        deadline = time.monotonic() + JOB_SECONDS
        while time.monotonic() < deadline:
            if set(jobs) <= {job["id"] for job in self.jobs("finished")}:
                return
            time.sleep(0.3)
        raise AssertionError("\n".join(self.log(job)[-3000:] for job in jobs))


@contextmanager
def scrapyd(
    folder: Path, eggs: Path | None = None, most_jobs: int = 4, python: str | Path = sys.executable
) -> Iterator[Scrapyd]:
    """Run Scrapyd with all its files in *folder*, to begin with a copy of the *eggs*; its jobs end with it."""
    folder.mkdir(parents=True, exist_ok=True)
    if eggs is not None:
        shutil.copytree(eggs, folder / "eggs")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (folder / "scrapyd.conf").write_text(CONFIG.format(port=port, folder=folder, most_jobs=most_jobs), encoding="utf-8")
    # Nothing of the checkout: what a job imports is in the egg.
    left_out = {"PYTHONPATH", "SCRAPY_SETTINGS_MODULE"}
    environment = {key: value for key, value in os.environ.items() if key not in left_out}
    with (folder / "scrapyd.log").open("wb") as log:
        server = subprocess.Popen(
            [str(python), "-m", "scrapyd", "--logfile=-", "--pidfile="],
            cwd=folder, env=environment, stdout=log, stderr=log, start_new_session=True,
        )  # fmt: skip
    running = Scrapyd(f"http://127.0.0.1:{port}", folder)
    try:
        _wait_for(server, running)
        yield running
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait(10)


def _wait_for(server: subprocess.Popen[bytes], running: Scrapyd) -> None:
    deadline = time.monotonic() + START_SECONDS
    while server.poll() is None and time.monotonic() < deadline:
        try:
            running.api("daemonstatus")
        except OSError:  # noqa: PERF203 - it is being waited for
            time.sleep(0.2)
        else:
            return
    raise RuntimeError("Scrapyd did not start: " + (running.folder / "scrapyd.log").read_text(encoding="utf-8"))


def copy_of_project(folder: Path) -> Path:
    """A copy of what the egg is made of, to build in and to change."""
    for name in ("picspider", "configs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "scrapy.cfg", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    return folder


def deploy(project: Path, server: Scrapyd) -> str:
    """`scrapyd-deploy` the *project* as a user does; what it printed."""
    settings = project / "scrapy.cfg"
    text = settings.read_text(encoding="utf-8").replace("http://127.0.0.1:6800", server.base)
    assert server.base in text, "scrapy.cfg names the target that the documentation speaks of"
    settings.write_text(text, encoding="utf-8")
    program = shutil.which("scrapyd-deploy", path=str(Path(sys.executable).parent)) or "scrapyd-deploy"
    done = subprocess.run(
        [program, "local"], cwd=project, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, timeout=180, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert '"status": "ok"' in done.stdout, done.stdout
    return done.stdout
