from __future__ import annotations

import urllib.request
from pathlib import Path

from picspider.commands.demo import PORT, _place
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


def test_demo_command_again(tmp_path: Path) -> None:
    """A second demo continues in the same folder, at the port of the first one; one whose port is taken says why it
    goes elsewhere, and the next one finds that place again.
    """
    output = tmp_path / "demo"
    with serve_gallery(PORT):  # as if the usual port were taken
        demo(output)
    port = _place(output).port
    assert (_place(output).folder, port != PORT, _place(output).why) == (output, True, "")
    demo(output)
    assert [path.name for path in tmp_path.iterdir()] == ["demo"]
    with serve_gallery(port):
        said = demo(output)
        again = demo(output)
    for text in (said, again):
        assert f"http://127.0.0.1:{port}/" in text.splitlines()[0]
        assert f"This one goes into {output}-2." in text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["demo", "demo-2"]


def demo(output: Path) -> str:
    """What `picspider demo` says, piped."""
    done = run("-m", "picspider", "demo", "--output", str(output), cwd=output.parent)
    assert done.returncode == 0, done.stdout[-3000:]
    return done.stdout


def test_piped_demo_is_quiet(tmp_path: Path) -> None:
    """Piped into a file, log and stats stay out of what the demo says; the last lines name the next step."""
    lines = demo(tmp_path / "demo").splitlines()
    assert not [line for line in lines if "INFO" in line or "scrapy" in line.lower()]
    assert len(lines) < 15
    begun = [line.split()[0] for line in lines if line and not line.startswith(" ")]
    assert begun == ["Finished", "Pictures", "Report", "Log", "Failures", "Totals", "Next"], "as of any crawl"
    assert lines[-2].strip().startswith("picspider propose https://")
    assert lines[-1].strip() == "picspider crawl site.yaml"


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
