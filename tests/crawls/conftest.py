"""Sites that no one here wrote, and the benchmark site."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import need
from tests.debian import PackageMissingError, unpacked

Package = Callable[[str], Path]


@pytest.fixture(scope="session")
def package() -> Package:
    """The unpacked files of a Debian package, by its name."""

    def find(name: str) -> Path:
        try:
            return unpacked(name)
        except PackageMissingError as missing:
            need(None, str(missing))
            raise

    return find


@pytest.fixture
def bench(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the handed benchmark, its modules ready to be imported."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(str(shared / "bench"))
    return shared / "bench"
