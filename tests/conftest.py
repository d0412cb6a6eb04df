"""Fixtures for all tests, and the loud word about what could not be run."""

from __future__ import annotations

import itertools
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.nginx import Server, find_nginx, serving
from tests.postgres import find_postgres, postgres

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"

Serve = Callable[..., Server]
NOT_TESTED = "NOT TESTED: "


def need(present: object, what: str) -> None:
    """Skip the test when something it needs is not *present*; under CI that is an error, not a skip."""
    if not present and os.environ.get("CI"):
        pytest.fail(what)
    if not present:
        pytest.skip(NOT_TESTED + what)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what to install, so that nobody takes a skipped test for a passed one."""
    skips = Counter(str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", []))
    for reason, count in sorted(skips.items()):
        if NOT_TESTED in reason:
            terminalreporter.write_line(f"{reason} ({count} tests)", yellow=True, bold=True)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serve folders with nginx until the test ends: ``serve(root, extra_server_lines="")``."""
    program = find_nginx()
    need(program, "the crawl tests need nginx: apt-get install nginx-light")
    numbers = itertools.count()
    with ExitStack() as servers:
        yield lambda root, extra="": servers.enter_context(
            serving(str(program), root, tmp_path / f"nginx-{next(numbers)}", extra)
        )


@pytest.fixture
def database() -> Iterator[str]:
    """The SQLAlchemy URL of an empty PostgreSQL database.

    Its folder is none of pytest's: another pytest that starts closes those to other users.
    """
    programs = find_postgres()
    need(programs, "the tests of shared stores need PostgreSQL: apt-get install postgresql (it need not be started)")
    assert programs is not None
    with TemporaryDirectory(prefix="picspider-") as folder, postgres(programs, Path(folder) / "postgres") as url:
        yield url


@pytest.fixture
def shared() -> Path:
    """The folder with the handed cases and the benchmark site; without it the test is skipped, loudly."""
    if not SHARED.is_dir():
        pytest.skip(f"{NOT_TESTED}no folder {os.path.relpath(SHARED, ROOT)} beside the project")
    return SHARED
