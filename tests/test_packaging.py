from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import zipfile
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import ROOT, need

TIME_LIMIT_SECONDS = 300  # for pip on a slow line


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the project, built from a copy of what it is built of."""
    need(find_spec("pip"), "wheels are built with pip, which is not in this environment: uv venv --seed")
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    for name in ("picspider", "configs"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    _type_in(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, source, at=folder)
    (built,) = folder.glob("*.whl")
    return built


def test_wheel_holds_every_room_and_config(wheel: Path) -> None:
    """The wheel has all modules, the worked configs as data, both entry points, and the licence."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        said = {name.rpartition("/")[2]: archive.read(name).decode() for name in names if ".dist-info/" in name}
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "picspider").rglob("*.py")}
    configs = {f"picspider/configs/{path.name}" for path in (ROOT / "configs").glob("*.yaml")}
    assert modules | configs <= names
    assert "picspider = picspider.cli:main" in said["entry_points.txt"]
    assert "settings = picspider.settings" in said["entry_points.txt"]
    assert "License-Expression: MIT" in said["METADATA"]
    assert said["LICENSE"] == (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_wheel_is_all_that_a_user_needs(wheel: Path, tmp_path: Path) -> None:
    """In an environment that has nothing else, the wheel brings all it needs, and runs far from the project."""
    _type_in(sys.executable, "-m", "venv", "venv", at=tmp_path)
    programs = tmp_path / "venv" / "bin"
    _type_in(programs / "pip", "install", "--quiet", "--no-compile", wheel, at=tmp_path)
    _type_in(programs / "pip", "check", at=tmp_path)
    assert _type_in(programs / "picspider", "--version", at=tmp_path) == f"picspider {metadata.version('picspider')}\n"
    assert _type_in(programs / "scrapy", "list", at=tmp_path).split() == ["focused", "layered"]
    assert "report.html" in _type_in(programs / "picspider", "demo", at=tmp_path)
    assert len(json.loads((tmp_path / "downloads/demo/pictures.json").read_text(encoding="utf-8"))) == 25


def test_every_import_is_a_declared_dependency() -> None:
    """What the package imports is declared, or comes with Scrapy, pydantic or Jinja, so that an installation runs."""
    declared = _required("picspider").union(*map(_required, ("scrapy", "pydantic", "jinja2")))
    owners = metadata.packages_distributions()
    for file in (ROOT / "picspider").rglob("*.py"):
        for module in _imported(file) - set(sys.stdlib_module_names) - {"picspider", "compression"}:
            if module not in owners and find_spec(module):
                continue  # Python 3.10 does not always know whose it is
            names = {canonicalize_name(name) for name in owners.get(module, [module])}
            assert names & declared, f"{file.relative_to(ROOT)} imports {module}, which pyproject.toml does not name"


def _type_in(*command: str | Path, at: Path) -> str:
    """What *command* says, in a folder and an environment where the project is not to be found by chance."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["SCRAPY_SETTINGS_MODULE"] = "picspider.settings"
    done = subprocess.run(
        command, cwd=at, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=TIME_LIMIT_SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{command}:\n{done.stdout[-3000:]}"
    return done.stdout


def _required(distribution: str) -> set[str]:
    return {canonicalize_name(Requirement(text).name) for text in metadata.requires(distribution) or ()}


def _imported(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level]
    return {name.partition(".")[0] for name in names | {node.module or "" for node in froms}}
