from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from tests.conftest import ROOT


def test_wheel_holds_every_room_and_config(tmp_path: Path) -> None:
    """A wheel made of the project has all modules, the worked configs as data, and both entry points."""
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
