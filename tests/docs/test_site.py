from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT, need


def test_docs_build_strictly(tmp_path: Path) -> None:
    """MkDocs builds the docs without a warning: no link leads nowhere. Nothing on them is loaded from elsewhere."""
    need(importlib.util.find_spec("mkdocs"), "the docs need MkDocs: make docs")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for page in (tmp_path / "site").rglob("*.html"):
        assert not re.search(r'(?:src|<link[^>]*href)="https?://', page.read_text(encoding="utf-8")), page
