"""The handed cases, each a small site of its own that once broke some downloader."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import SHARED

CASES = sorted(path.name for path in (SHARED / "cases" / "cases").glob("*"))
COMMAND = f"{sys.executable} -m picspider crawl {{config}} -o output={{out}}"

# Cases that do not pass, each with the reason.
KNOWN: dict[str, str] = {}


@pytest.mark.parametrize("case", CASES or ["none"])
def test_case(case: str, shared: Path, tmp_path: Path) -> None:
    """The case passes in the handed runner."""
    result = tmp_path / "result.json"
    runner = [sys.executable, "-B", str(shared / "cases" / "runner.py"), "--adapter", "adapter:Picspider"]
    done = subprocess.run(
        [*runner, "--cmd", COMMAND, "--json", str(result), case], capture_output=True, text=True, check=False
    )
    (outcome,) = (
        json.loads(result.read_text(encoding="utf-8")) if result.exists() else [{"ok": False, "bad": done.stderr}]
    )
    if not outcome["ok"] and case in KNOWN:
        pytest.xfail(KNOWN[case])
    assert outcome["ok"], "\n".join([*outcome["bad"], outcome.get("tail", "")])
    assert case not in KNOWN, "passes now: take it off the list"
