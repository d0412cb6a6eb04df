from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import zipfile
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import ROOT, need


def test_wheel_holds_every_room_and_config(tmp_path: Path) -> None:
    """A wheel made of the project has all modules, the worked configs as data, and both entry points."""
    need(find_spec("pip"), "wheels are built with pip, which is not in this environment: uv venv --seed")
    source = tmp_path / "source"
    for folder in ("picspider", "configs"):
        shutil.copytree(ROOT / folder, source / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, source)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path), str(source)]
    subprocess.run(pip, check=True, capture_output=True, timeout=120)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (entry_points,) = [archive.read(name).decode() for name in names if name.endswith("entry_points.txt")]
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "picspider").rglob("*.py")}
    configs = {f"picspider/configs/{path.name}" for path in (ROOT / "configs").glob("*.yaml")}
    assert modules | configs <= names
    assert "picspider = picspider.cli:main" in entry_points
    assert "settings = picspider.settings" in entry_points


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


def _required(distribution: str) -> set[str]:
    return {canonicalize_name(Requirement(text).name) for text in metadata.requires(distribution) or ()}


def _imported(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level]
    return {name.partition(".")[0] for name in names | {node.module or "" for node in froms}}
