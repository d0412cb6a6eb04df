from __future__ import annotations

import hashlib
import logging
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from picspider.config.pictures import Pictures
from picspider.filters import build
from picspider.frontier.run.set_aside import SET_ASIDE, judge_stored, take_back
from picspider.frontier.store.store import Store
from picspider.output_folder import OutputFolder
from picspider.schema import picture, skip
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
    a weaker one takes it back, and has its repeat fetched again.
    """
    output = tmp_path / "output"
    first = picspider_crawl(config, output)
    first_pictures = first.feed("pictures")
    assert (len(first_pictures), len(first.feed("repeats"))) == (3, 1)
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
    assert "1 picture taken back that had been set aside" in third.log
    assert (third.feed("pictures"), third.feed("skips"), len(third.feed("repeats"))) == (first_pictures, [], 1)
    assert len(third.stored()) == 3
    assert not (output / SET_ASIDE).exists()
    assert len(list((output / "sidecars").iterdir())) == 3


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


def test_what_cannot_be_taken_back_is_left_to_be_fetched(tmp_path: Path) -> None:
    """A file that is gone or another by now, and a name that is taken, are not taken back; a refusal gets its reason of
    now. A run that is killed on the way does the same again.
    """
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    store = Store(OutputFolder(tmp_path).store_url)
    facts = {"width": 10, "height": 10, "format": "JPEG", "time": 0.0}
    rows = []
    for number, name in enumerate(("back", "gone", "other", "taken", "refused"), 1):
        body = name.encode()
        (pictures / f"{name}.jpg").write_bytes(body)
        sha256 = hashlib.sha256(body).hexdigest()
        row = {"node": number, "file": f"{name}.jpg", "file_key": number, "sha256": sha256, "sha_key": 0}
        rows.append({**row, **facts, "bytes": len(body)})
    rows[-1]["height"] = 1
    with store.transaction() as connection:
        connection.execute(insert(picture), rows)
        assert judge_stored(connection, build(Pictures(min_width=100)), pictures) == 5
        connection.execute(insert(picture).values({**rows[3], "node": 9, "sha256": "00" * 32}))
    assert not list(pictures.iterdir())
    (tmp_path / SET_ASIDE / "gone.jpg").unlink()
    (tmp_path / SET_ASIDE / "other.jpg").write_bytes(b"edited")
    for _ in range(2):
        with store.transaction() as connection:
            assert take_back(connection, build(Pictures(min_height=5)), pictures) == 1
            still_aside = connection.scalars(select(skip.c.node).where(skip.c.stored.is_not(None))).all()
            stored = connection.scalars(select(picture.c.node)).all()
            connection.rollback()
    assert (still_aside, stored) == ([5], [1, 9])
    assert [file.name for file in pictures.iterdir()] == ["back.jpg"]
    store.close()
