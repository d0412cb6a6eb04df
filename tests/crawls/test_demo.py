from __future__ import annotations

import urllib.request
from pathlib import Path

from picspider.commands.demo import _folder
from picspider.demo import serve_gallery
from tests.crawls.running import Crawl, run


def test_gallery_is_served_while_the_block_lasts() -> None:
    """The gallery answers on a free port: pages, pictures, and 404 for what is not there."""
    with serve_gallery() as base:
        with urllib.request.urlopen(f"{base}/") as answer:
            assert b"/album/1/" in answer.read()
        with urllib.request.urlopen(f"{base}/full/00.jpg") as answer:
            assert answer.headers["Content-Type"] == "image/jpeg"


def test_port_that_is_taken_is_no_obstacle() -> None:
    """A second demo beside the first one takes another port."""
    with serve_gallery() as first, serve_gallery(int(first.rsplit(":", 1)[1])) as second:
        assert first != second


def test_demo_beside_an_earlier_one_at_another_address(tmp_path: Path) -> None:
    """A folder with a demo of another port is left alone; one of the same port is brought up to date."""
    (tmp_path / "tree.json").write_text('[{"url": "http://127.0.0.1:1/"}]', encoding="utf-8")
    assert _folder(tmp_path, "http://127.0.0.1:1") == tmp_path
    assert _folder(tmp_path, "http://127.0.0.1:2") == tmp_path.with_name(f"{tmp_path.name}-2")


def test_demo_command(tmp_path: Path) -> None:
    """`picspider demo` ends with 0, finds the planned mishaps, and says where to look."""
    done = run("-m", "picspider", "demo", "--output", str(tmp_path / "demo"), cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-3000:]
    crawl = Crawl(tmp_path / "demo", done.returncode, done.stdout)
    assert len(crawl.feed("pictures")) == 25
    reasons = sorted(record["reason"] for record in crawl.feed("failures"))
    assert reasons == ["http", "not-a-picture", "truncated"]
    assert [record["reason"] for record in crawl.feed("skips")] == ["too-small"]
    assert sorted(record["by"] for record in crawl.feed("repeats")) == ["content", "url"]
    assert str(tmp_path / "demo" / "pictures") in done.stdout
    assert "report.html" in done.stdout
