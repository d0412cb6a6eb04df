"""Output folders that are in the way, consoles that cannot show everything, disks that take no more."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawls.running import ROOT
from tests.wild.crawling import picture
from tests.wild.raw_server import Answer, RawServer, answer_of, page_of, serving


@pytest.fixture
def site() -> Iterator[RawServer]:
    """Three albums of three pictures."""
    answers: dict[str, Answer] = {"/": page_of(*(f"/album/{album}" for album in range(3)))}
    for album in range(3):
        targets = [f"/p/{album}-{number}.png" for number in range(3)]
        answers[f"/album/{album}"] = page_of(*targets)
        answers |= {target: answer_of(picture()) for target in targets}
    with serving(answers) as server:
        yield server


def crawl(
    site: RawServer, folder: Path, output: Path, most_file_bytes: int = 0, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """A crawl in a process of its own, with limits and variables of its own."""
    config = folder / "site.yaml"
    config.write_text(json.dumps({"entry": f"{site.url}/", "layers": ["/album/", "/p/"]}), encoding="utf-8")

    def limit() -> None:
        if most_file_bytes:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_file_bytes, most_file_bytes))

    variables = {**os.environ, **(environment or {})}
    if most_file_bytes:
        variables.pop("COVERAGE_PROCESS_CONFIG", None)  # its own file would be too large, and it would say so
    return subprocess.run(
        [sys.executable, "-m", "picspider", "crawl", str(config), "-o", f"output={output}"],
        cwd=ROOT,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        timeout=100,
        check=False,
        preexec_fn=limit,
    )


@pytest.mark.parametrize("where", ["out", "out/below", "out/crawl.db"])
def test_something_in_the_way_of_the_output_folder(site: RawServer, tmp_path: Path, where: str) -> None:
    """One line says what cannot be used; no request is made, and nothing is changed."""
    if where == "out/crawl.db":
        (tmp_path / where).mkdir(parents=True)
    else:
        (tmp_path / "out").write_text("mine", encoding="utf-8")
    done = crawl(site, tmp_path, tmp_path / where.removesuffix("/crawl.db"))
    assert done.returncode == 1
    assert f"{tmp_path / where}: the output folder cannot be made or used" in done.stdout
    assert "Traceback" not in done.stdout
    assert not site.counts


def test_foreign_files_stay(site: RawServer, tmp_path: Path) -> None:
    """What the user has put into the output folder is left alone."""
    mine = tmp_path / "out" / "pictures" / "mine.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine", encoding="utf-8")
    assert crawl(site, tmp_path, tmp_path / "out").returncode == 0
    assert mine.read_text(encoding="utf-8") == "mine"


def test_file_in_the_way_of_an_album(site: RawServer, tmp_path: Path) -> None:
    """The pictures of that album are told as failures of the storage; the others come."""
    blocked = tmp_path / "out" / "pictures" / "_album_1"
    blocked.parent.mkdir(parents=True)
    blocked.write_text("mine", encoding="utf-8")
    assert crawl(site, tmp_path, tmp_path / "out").returncode == 2
    failures = json.loads((tmp_path / "out" / "failures.json").read_text(encoding="utf-8"))
    assert {failure["reason"] for failure in failures} == {"storage"}
    assert len(failures) == 3
    assert blocked.read_text(encoding="utf-8") == "mine"


def test_full_disk_before_the_first_byte(site: RawServer, tmp_path: Path) -> None:
    """A store that cannot be written is told in one line."""
    done = crawl(site, tmp_path, tmp_path / "out", most_file_bytes=20_000)
    assert done.returncode == 1
    assert "the crawl store fails (disk I/O error)" in done.stdout
    assert "Traceback" not in done.stdout


@pytest.mark.parametrize(
    "environment",
    [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}, {"TERM": "dumb", "COLUMNS": "1"}, {"HOME": "/nonexistent"}],
    ids=str,
)
def test_poor_console(site: RawServer, tmp_path: Path, environment: dict[str, str]) -> None:
    """A console that cannot show the folder's name does not make a good crawl a failed one."""
    done = crawl(site, tmp_path, tmp_path / "ö图", environment=environment)
    assert done.returncode == 0, done.stdout[-2000:]
    assert len(json.loads((tmp_path / "ö图" / "pictures.json").read_text(encoding="utf-8"))) == 9


def test_folder_that_the_terminal_cannot_spell(site: RawServer, tmp_path: Path) -> None:
    """Bytes that are no text are refused with the option that holds them."""
    ascii_only = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "POSIX"}
    done = crawl(site, tmp_path, tmp_path / "ö", environment=ascii_only)
    assert done.returncode == 1
    assert "option output: holds bytes that are no UTF-8" in done.stdout
