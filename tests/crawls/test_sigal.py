from __future__ import annotations

import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

from tests.conftest import Serve
from tests.crawls.conftest import Package
from tests.crawls.running import scrapy_crawl
from tests.debian import CACHE

CONFIG = """\
entry: {base}/
layers:
  - {{links: '/[a-z]+/$', within: '#albums'}}
  - {{links: '/[a-z]+/[a-z0-9_-]+/$', within: '#albums'}}
  - '\\.png\\.html$'
  - '\\.png$'
pictures: {{name: '{{layer1}}/{{layer2}}/{{stem}}{{ext}}'}}
"""

SETTINGS = """\
source = "source"
destination = "site"
theme = "colorbox"
use_orig = True
thumb_size = (48, 36)
plugins = ["sigal.plugins.media_page"]
index_in_url = False
"""


def gallery(stamps: Path) -> Path:
    """The album site that sigal makes of Tux Paint's stamps: category → album → page of one picture → picture."""
    folder = CACHE / "sigal-of-stamps"
    if not (folder / "site" / "index.html").exists():
        shutil.rmtree(folder, ignore_errors=True)
        for picture in stamps.rglob("*.png"):
            category, *album, name = picture.relative_to(stamps).parts
            place = folder / "source" / category / ("-".join(album).lower() or "others")
            place.mkdir(parents=True, exist_ok=True)
            shutil.copy(picture, place / name)
        (folder / "sigal.conf.py").write_text(SETTINGS, encoding="utf-8")
        sigal = [sys.executable, "-m", "sigal", "build", "--quiet", "-n", "1"]
        subprocess.run(sigal, cwd=folder, check=True, timeout=120)
    return folder


def test_sigal_gallery(package: Package, serve: Serve, tmp_path: Path) -> None:
    """A config of seven lines gets every original of a sigal gallery with 796 pictures, and no thumbnail."""
    folder = gallery(package("tuxpaint-stamps-default") / "usr/share/tuxpaint/stamps")
    crawl = scrapy_crawl(CONFIG.format(base=serve(folder / "site").base), tmp_path / "output")

    originals = [sha256(file.read_bytes()).hexdigest() for file in (folder / "source").rglob("*.png")]
    assert len(originals) == 796
    stored = [sha256(body).hexdigest() for body in crawl.stored().values()]
    assert sorted(stored) == sorted(set(originals)), crawl.complaints()
    by_content = [record for record in crawl.feed("repeats") if record["by"] == "content"]
    assert len(stored) + len(by_content) == 796
    assert crawl.feed("failures") == crawl.feed("skips") == []
    twice = {record["sha256"] for record in by_content}  # these may lie in either place
    for record in crawl.feed("pictures"):
        category, album, _ = record["file"].split("/")
        assert f"/{category}/{album}/" in record["url"] or record["sha256"] in twice
