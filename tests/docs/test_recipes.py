"""The recipes of CONTRIBUTING.md, followed to the letter in a copy of the project."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from tests.conftest import ROOT, need

_STEP = re.compile(
    r"`(?P<file>(?:picspider|tests)/[\w/]+\.py)`:\n\n(?P<block> *```(?P<kind>python|diff)\n(?P<text>.*?)^ *```$)",
    re.MULTILINE | re.DOTALL,
)
STEPS = list(_STEP.finditer((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
COPIED = ("picspider", "tests", "configs", "docs", "pyproject.toml", "setup.py", "scrapy.cfg")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.png")
TESTED = (
    "tests/config/test_cases.py",
    "tests/paging",
    "tests/filters",
    "tests/topic/test_models.py",
    "tests/fetch/test_classify.py",
)


def follow(step: re.Match[str], project: Path) -> str:
    """Write the new file, or change the lines that the diff shows; returns the file's name."""
    file, text = project / step["file"], dedent(step["text"])
    if step["kind"] == "python":
        file.parent.mkdir(parents=True, exist_ok=True)
        assert not file.exists(), f"{step['file']} is there already"
        file.write_text(text, encoding="utf-8")
        return step["file"]
    lines = [line or " " for line in dedent_diff(step["text"])]
    before = "\n".join(line[1:] for line in lines if line[0] in " -")
    after = "\n".join(line[1:] for line in lines if line[0] in " +")
    source = file.read_text(encoding="utf-8")
    assert source.count(before) == 1, f"{step['file']} does not look like the recipe any more:\n{before}"
    file.write_text(source.replace(before, after), encoding="utf-8")
    return step["file"]


def dedent_diff(text: str) -> list[str]:
    """The lines of a diff inside of a list item, their first signs kept."""
    return [line.removeprefix("    ") for line in text.splitlines()]


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project after all recipes."""
    project = tmp_path_factory.mktemp("contributing") / "picspider"
    project.mkdir()
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, project / name, ignore=LEFT_OUT)
        else:
            shutil.copy(ROOT / name, project)
    assert len(STEPS) >= 18
    for step in STEPS:
        follow(step, project)
    subprocess.run([sys.executable, "docs/generate.py"], cwd=project, check=True, env=environment(project), timeout=60)
    return project


def environment(project: Path) -> dict[str, str]:
    """Python finds the copy, not the project that is installed."""
    return {"PYTHONPATH": str(project), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(project)}


def test_recipes_pass_their_tests(changed: Path) -> None:
    """The new tests pass, and so do the old ones of the rooms that were changed."""
    new = [step["file"] for step in STEPS if step["file"].startswith("tests/")]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *dict.fromkeys((*new, *TESTED))]
    done = subprocess.run(
        command, cwd=changed, env=environment(changed), capture_output=True, text=True, timeout=180, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:]


def test_recipes_are_clean(changed: Path) -> None:
    """Ruff finds nothing in the new code, once it has set the lines."""
    need(importlib.util.find_spec("ruff"), "the recipes of CONTRIBUTING are checked by ruff: make lint types")
    files = dict.fromkeys(step["file"] for step in STEPS)
    for action in ("format", "check"):
        command = [sys.executable, "-m", "ruff", action, "--no-cache", *files]
        done = subprocess.run(command, cwd=changed, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stdout[-3000:]


def test_recipes_are_typed(changed: Path) -> None:
    """The files that were touched pass mypy --strict. What `make types` has learned is used, for speed."""
    need(importlib.util.find_spec("mypy"), "the recipes of CONTRIBUTING are checked by mypy: make lint types")
    if (ROOT / ".mypy_cache").is_dir():
        shutil.copytree(ROOT / ".mypy_cache", changed / ".mypy_cache")
    done = subprocess.run(
        [sys.executable, "-m", "mypy"],
        cwd=changed, env=environment(changed), capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode in {0, 1}, done.stderr
    touched = {step["file"] for step in STEPS}
    assert not [line for line in done.stdout.splitlines() if line.partition(":")[0] in touched]
