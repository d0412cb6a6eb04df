from __future__ import annotations

from pathlib import Path

from PIL import Image

from tests.conftest import Serve
from tests.crawls.running import picspider_crawl


def test_the_audit_ends_every_run(serve: Serve, tmp_path: Path) -> None:
    """What looks incomplete is told before the totals, and stands in the report; the exit code stays."""
    root = tmp_path / "www"
    for album in range(6):
        (root / f"album/{album}").mkdir(parents=True)
        (root / f"full/{album}").mkdir(parents=True)
        links = []
        for number in range(1, 13):
            if (album, number) != (2, 7):
                Image.new("RGB", (20 + number, 20 + album)).save(root / f"full/{album}/{number:03}.png")
                links.append(f'<a href="/full/{album}/{number:03}.png">x</a>')
        shown = "" if album == 5 else "".join(links)
        (root / f"album/{album}/index.html").write_text(f"<p><b>12</b> photos</p>{shown}")
    (root / "index.html").write_text("".join(f'<a href="/album/{album}/">Album {album}</a>' for album in range(6)))
    config = tmp_path / "site.yaml"
    config.write_text(f"entry: {serve(root).base}/\nlayers: ['/album/\\d/', '\\.png$']\n")
    crawl = picspider_crawl(config, tmp_path / "out")
    assert crawl.exit_code == 0, crawl.complaints()
    told = [line.partition("Looks incomplete: ")[2] for line in crawl.log.splitlines() if "Looks incomplete" in line]
    assert len(told) == 3
    assert "/album/5/: the rule of layer picture matched nothing here; it did on 5 others" in told[0]
    assert "/album/2/: the page says 12, but 11 were found" in told[1]
    assert "/album/2/: the numbers 1 to 12 of {n}.png lack 007" in told[2]
    assert "lack 007" in (tmp_path / "out/report.html").read_text(encoding="utf-8")
