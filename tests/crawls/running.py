"""A crawl as a user starts it: a process of its own, judged by its exit code, its log and its files."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
TIME_LIMIT_SECONDS = 120


@dataclass(frozen=True)
class Crawl:
    """What a run left behind."""

    output: Path
    exit_code: int
    log: str

    def feed(self, name: str) -> list[dict[str, Any]]:
        """The records of one feed."""
        records = json.loads((self.output / f"{name}.json").read_text(encoding="utf-8"))
        assert isinstance(records, list)
        return records

    def complaints(self) -> str:
        """The lines of the log that somebody should read."""
        lines = [line for line in self.log.splitlines() if re.search(r"ERROR|WARNING|Failed|Error:|Totals", line)]
        return "\n".join(lines[:40])

    def stored(self) -> dict[str, bytes]:
        """The files of the pictures folder, by their place in it; side-cars left out."""
        folder = self.output / "pictures"
        files = [file for file in folder.rglob("*") if file.is_file() and file.suffix != ".json"]
        return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def run(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run Python with *arguments*, its output and errors in one text."""
    environment = {**os.environ, "SCRAPY_SETTINGS_MODULE": "picspider.settings", "PYTHONPATH": str(ROOT)}
    try:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=TIME_LIMIT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        said = (late.output or b"").decode(errors="replace")
        raise AssertionError(f"no end after {TIME_LIMIT_SECONDS} s: …{said[-3000:]}") from late


def scrapy_crawl(config: str, output: Path, *options: str) -> Crawl:
    """``scrapy crawl layered`` with the text, path or name of a config."""
    done = run("-m", "scrapy", "crawl", "layered", "-a", f"config={config}", "-a", f"output={output}", *options)
    return Crawl(output, done.returncode, done.stdout)


def picspider_crawl(config: Path, output: Path, *options: str) -> Crawl:
    """``picspider crawl`` with the path of a config."""
    done = run("-m", "picspider", "crawl", str(config), "-o", f"output={output}", *options)
    return Crawl(output, done.returncode, done.stdout)
