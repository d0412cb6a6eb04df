from __future__ import annotations

import sys
from pathlib import Path

import pytest

from picspider.report.program import program
from picspider.report.retry_command import retry_command


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `picspider` in a folder of its own, as it was just called."""
    script = tmp_path / "my env" / "picspider"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\n", encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(script), "demo"])
    return script


def test_one_that_the_shell_does_not_find(script: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is to be copied names the path that picspider was called by, as that of .venv/bin is in no PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program() == f"'{script}'"
    assert retry_command(tmp_path) == f"'{script}' retry {tmp_path}"


def test_one_that_the_shell_finds(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an environment that is active the bare name does."""
    monkeypatch.setenv("PATH", str(script.parent))
    assert program() == "picspider"


def test_python_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """Called in any other way, it goes by its name."""
    monkeypatch.setattr(sys, "argv", ["/x/__main__.py"])
    assert program() == "picspider"
