"""The same crawl night after night: what is new, changed or gone is told."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import Serve
from tests.crawls.running import picspider_crawl, run
from tests.sites.site import Site

CONFIG = """\
entry: {base}/
layers: ['/album/\\d+/$', '/photo/[\\d-]+\\.html$', '\\.jpg$']
"""


def photo(site: Site, album: int, number: int) -> str:
    """A photo page with its picture; the link to it."""
    picture = site.picture(f"/{album}/{number}.jpg", album * 10 + number)
    path = f"/photo/{album}-{number}.html"
    site.page(path, f'<img src="{picture}">')
    return f'<a href="{path}">{number}</a>'


def build(albums: dict[int, list[int]]) -> Site:
    """A site of albums with photos of these numbers."""
    site = Site()
    site.page("/", "".join(f'<a href="/album/{album}/">{album}</a>' for album in albums))
    for album, numbers in albums.items():
        site.page(f"/album/{album}/", "".join(photo(site, album, number) for number in numbers))
    return site


def changes(output: Path) -> dict[str, set[tuple[str, str]]]:
    """What `picspider export --feed changes` prints: by what, the kinds and paths."""
    done = run("-m", "picspider", "export", str(output), "--feed", "changes")
    assert done.returncode == 0, done.stdout
    found: dict[str, set[tuple[str, str]]] = {}
    for line in done.stdout.splitlines():
        record = json.loads(line)
        found.setdefault(record["what"], set()).add((record["kind"], "/" + record["url"].split("/", 3)[3]))
    return found


def test_new_changed_and_gone(serve: Serve, tmp_path: Path) -> None:
    """A photo is added, one is taken away, and an album goes: each is told once, in the log and by `export`."""
    root, output = tmp_path / "site", tmp_path / "out"
    server = serve(build({1: [1, 2, 3], 2: [1, 2], 3: [1]}).write(root))
    config = tmp_path / "site.yaml"
    config.write_text(CONFIG.format(base=server.base), encoding="utf-8")
    first = picspider_crawl(config, output)
    assert first.exit_code == 0, first.complaints()
    assert "Changes" not in first.log
    assert changes(output) == {}
    same = picspider_crawl(config, output)
    assert "nothing new on the site since the last run" in same.log, same.log[-2000:]
    build({1: [1, 3, 4], 2: [1, 2]}).write(root)
    for path in ("photo/1-2.html", "1/2.jpg", "album/3/index.html"):
        (root / path).unlink()
    changed = picspider_crawl(config, output)
    assert (
        "1 new picture link, 1 new page, 2 changed pages, 2 gone picture links, 3 gone pages since the last run"
        in changed.log
    )
    assert changes(output) == {
        "new": {("page", "/photo/1-4.html"), ("picture", "/1/4.jpg")},
        "changed": {("page", "/"), ("page", "/album/1/")},
        "gone": {
            ("page", "/photo/1-2.html"), ("picture", "/1/2.jpg"),
            ("page", "/album/3/"), ("page", "/photo/3-1.html"), ("picture", "/3/1.jpg"),
        },
    }  # fmt: skip
    assert len(changed.feed("pictures")) == 7, "what is gone from the site stays here"
    after = picspider_crawl(config, output)
    assert "nothing new on the site since the last run" in after.log, after.log[-2000:]
    assert changes(output) == {}


def test_interrupted_night_is_no_comparison(serve: Serve, tmp_path: Path) -> None:
    """After a night that a limit stopped, the next one tells of both."""
    root, output = tmp_path / "site", tmp_path / "out"
    server = serve(build({1: [1, 2]}).write(root))
    config = tmp_path / "site.yaml"
    config.write_text(CONFIG.format(base=server.base), encoding="utf-8")
    picspider_crawl(config, output)
    build({1: [1, 2, 3, 4]}).write(root)
    picspider_crawl(config, output, "-o", "limits.pages=3")
    whole = picspider_crawl(config, output)
    assert "2 new picture links, 2 new pages, 1 changed page since the last run" in whole.log, whole.log[-2000:]


def test_interrupted_night_that_saw_a_page_go(serve: Serve, tmp_path: Path) -> None:
    """A photo page that is gone, and was still to be read when the night ended: its picture is told as gone, too."""
    root, output = tmp_path / "site", tmp_path / "out"
    server = serve(build({1: [1, 2, 3, 4]}).write(root))
    config = tmp_path / "site.yaml"
    config.write_text(CONFIG.format(base=server.base), encoding="utf-8")
    picspider_crawl(config, output)
    build({1: [1, 2, 3]}).write(root)
    picspider_crawl(config, output, "-o", "limits.pages=2")
    whole = picspider_crawl(config, output)
    assert changes(output)["gone"] == {("page", "/photo/1-4.html"), ("picture", "/1/4.jpg")}, whole.log[-2000:]
    assert "nothing new" in picspider_crawl(config, output).log


def test_recovered(serve: Serve, tmp_path: Path) -> None:
    """A picture that failed and one whose file was deleted: fetched by `retry`, both are told as recovered."""
    root, output = tmp_path / "site", tmp_path / "out"
    site = build({1: [1, 2, 3]})
    server = serve(site.write(root))
    config = tmp_path / "site.yaml"
    config.write_text(CONFIG.format(base=server.base), encoding="utf-8")
    (root / "1/2.jpg").rename(root / "1/2.away")
    first = picspider_crawl(config, output)
    assert [record["url"] for record in first.feed("failures")] == [f"{server.base}/1/2.jpg"]
    (root / "1/2.away").rename(root / "1/2.jpg")
    (output / "pictures" / first.feed("pictures")[0]["file"]).unlink()
    again = run("-m", "picspider", "retry", str(output))
    assert again.returncode == 0, again.stdout
    assert "2 recovered pictures since the last run" in again.stdout, again.stdout
    assert changes(output) == {"recovered": {("picture", "/1/1.jpg"), ("picture", "/1/2.jpg")}}


def test_album_that_is_taken_off_is_no_failure(serve: Serve, tmp_path: Path) -> None:
    """Its pages answer 404 from now on; it is told as gone once, and no night ends with failures for it."""
    root, output = tmp_path / "site", tmp_path / "out"
    server = serve(build({1: [1], 2: [1, 2]}).write(root))
    config = tmp_path / "site.yaml"
    config.write_text(CONFIG.format(base=server.base), encoding="utf-8")
    (root / "2/2.jpg").unlink()
    first = picspider_crawl(config, output)
    assert (first.exit_code, len(first.feed("failures"))) == (2, 1)
    build({1: [1]}).write(root)
    for path in ("album/2/index.html", "photo/2-1.html", "photo/2-2.html", "2/1.jpg"):
        (root / path).unlink()
    second = picspider_crawl(config, output)
    assert "1 changed page, 1 gone picture link, 2 gone pages since the last run" in second.log, second.log[-2000:]
    assert (second.exit_code, second.feed("failures"), len(second.feed("pictures"))) == (0, [], 2)
    third = picspider_crawl(config, output)
    assert "nothing new" in third.log
    assert third.exit_code == 0
