from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.conftest import Serve
from tests.crawls.running import ROOT
from tests.sites.next_by_rel import build


def test_only_counts(serve: Serve, tmp_path: Path) -> None:
    """--simulate crawls every page, asks for no picture, leaves nothing behind, and prints a count for each layer."""
    site = build()
    server = serve(site.write(tmp_path / "site"))
    config = tmp_path / "site.yaml"
    text = (ROOT / "configs/next-by-rel.yaml").read_text(encoding="utf-8").replace("https://blog.example", server.base)
    config.write_text(text.replace("downloads/blog", str(tmp_path / "output")), encoding="utf-8")
    for options, code, last in (((), 0, "15 pictures, 1 repeat"), (("-o", 'layers=["/nothing/"]'), 3, "nothing")):
        command = [sys.executable, "-m", "picspider", "crawl", str(config), "--simulate", *options]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == code, done.stderr
        assert last in done.stdout.splitlines()[-1]
        assert "Stopped by" not in done.stderr, "what it is made of is no limit of the user's"
        assert "report.html" not in done.stderr
    asked = {request.path for request in server.requests()}
    assert asked - {"/robots.txt"} == site.pages
    assert not (tmp_path / "output").exists()
