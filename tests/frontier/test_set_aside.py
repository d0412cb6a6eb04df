from __future__ import annotations

import logging
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from picspider.config.pictures import Pictures
from picspider.filters import build
from picspider.frontier.set_aside import SET_ASIDE, judge_stored
from picspider.frontier.store import Store
from picspider.output_folder import OutputFolder
from picspider.schema import picture
from tests.conftest import Serve
from tests.crawls.running import picspider_crawl, run
from tests.sites.site import Site

CONFIG = """\
entry: {base}/
layers: ['\\.jpg$']
pictures: {{name: '{{stem}}{{ext}}', sidecar: true, min_width: {min_width}}}
"""


@pytest.fixture
def config(serve: Serve, tmp_path: Path) -> Path:
    """A page with two large pictures, a small one and the same small one again; its config in a file."""
    site = Site()
    large = [site.picture(f"/large{number}.jpg", number) for number in range(2)]
    small = site.small("/small.jpg", 5)
    site.files["/again.jpg"] = site.files[small]
    site.page("/", "".join(f'<img src="{url}">' for url in (*large, small, "/again.jpg", "/missing.jpg")))
    server = serve(site.write(tmp_path / "site"))
    path = tmp_path / "site.yaml"
    path.write_text(CONFIG.format(base=server.base, min_width=0), encoding="utf-8")
    return path


def edit(config: Path, before: str, after: str) -> None:
    """As a user does in an editor."""
    text = config.read_text(encoding="utf-8")
    assert before in text
    config.write_text(text.replace(before, after), encoding="utf-8")


@pytest.mark.parametrize("command", ["crawl", "retry"])
def test_stricter_filter_judges_stored_pictures(config: Path, tmp_path: Path, command: str) -> None:
    """What a stricter filter refuses is a skip after the next crawl or retry, told and moved aside, its repeat with it;
    a weaker one has both fetched again.
    """
    output = tmp_path / "output"
    first = picspider_crawl(config, output)
    assert (len(first.feed("pictures")), len(first.feed("repeats"))) == (3, 1)
    edit(config, "min_width: 0", "min_width: 100")
    if command == "crawl":
        log = picspider_crawl(config, output).log
    else:
        log = run("-m", "picspider", "retry", str(output), "--reason", "dns").stdout
    assert (
        f"1 of the stored pictures do not pass any more. They are in skips.json now, and their files are in {output}/"
        in log
    )
    assert sorted(record["reason"] for record in first.feed("skips")) == ["too-small", "too-small"]
    assert first.feed("repeats") == []
    assert {record["file"] for record in first.feed("pictures")} == set(first.stored()) == {"large0.jpg", "large1.jpg"}
    assert {file.name for file in (output / SET_ASIDE).iterdir()} in (
        {"small.jpg", "small.jpg.json"}, {"again.jpg", "again.jpg.json"},
    )  # fmt: skip
    assert "2 pictures + 2 skips + 1 failures + 0 repeats" in log

    edit(config, "min_width: 100", "min_width: 0")
    third = picspider_crawl(config, output)
    assert (len(third.feed("pictures")), third.feed("skips"), len(third.feed("repeats"))) == (3, [], 1)
    assert len(third.stored()) == 3


def test_same_again_after_a_kill(tmp_path: Path) -> None:
    """A run that was killed between the move and the end of its transaction is done again; nothing is overwritten."""
    pictures = tmp_path / "pictures"
    (pictures / "a").mkdir(parents=True)
    (pictures / "a/x.jpg").write_bytes(b"new")
    (tmp_path / SET_ASIDE / "a").mkdir(parents=True)
    (tmp_path / SET_ASIDE / "a/x.jpg").write_bytes(b"old")
    store = Store(OutputFolder(tmp_path).store_url)
    row = {"node": 1, "file": "a/x.jpg", "file_key": 1, "sha256": "00" * 32, "sha_key": 0}
    facts = {"width": 10, "height": 10, "format": "JPEG", "bytes": 3, "time": 0.0}
    with store.transaction() as connection:
        connection.execute(insert(picture).values({**row, **facts}))
    filters = build(Pictures(min_width=100))
    for _ in range(2):
        with store.transaction() as connection:
            assert judge_stored(connection, filters, pictures) == 1
            connection.rollback()
    assert not list(pictures.iterdir()), "its folder is empty and goes too"
    assert {file.name: file.read_bytes() for file in (tmp_path / SET_ASIDE / "a").iterdir()} == {
        "x.jpg": b"old",
        "x-2.jpg": b"new",
    }
    with store.transaction() as connection:
        assert judge_stored(connection, filters, pictures) == 1
        assert connection.scalars(select(picture.c.node)).all() == []
    store.close()


def test_pictures_elsewhere_stay(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Pictures in S3, or of several workers, are left alone, and how many they are is told."""
    store = Store(OutputFolder(tmp_path).store_url)
    row = {"node": 1, "file": "x.jpg", "file_key": 1, "sha256": "00" * 32, "sha_key": 0}
    facts = {"width": 10, "height": 10, "format": "JPEG", "bytes": 3, "time": 0.0}
    with store.transaction() as connection, caplog.at_level(logging.WARNING):
        connection.execute(insert(picture).values({**row, **facts}))
        assert judge_stored(connection, build(Pictures(min_width=100)), None) == 0
        assert connection.scalars(select(picture.c.node)).all() == [1]
    assert "1 of the stored pictures do not pass any more. They stay" in caplog.text
    store.close()
