from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from sqlalchemy import insert

from picspider.commands.config_of import config_of
from picspider.errors import StoreError
from picspider.frontier.run import missing
from picspider.frontier.run.beginning import begin
from picspider.frontier.run.missing import missing_files
from picspider.frontier.store.store import Store
from picspider.output_folder import OutputFolder
from picspider.schema import picture
from tests.conftest import Serve
from tests.crawls.running import Crawl, picspider_crawl, run, scrapy_crawl
from tests.sites.site import Site

CONFIG = "entry: {base}/\nlayers: ['/album/', '\\.jpg$']\n"


@pytest.fixture
def site(serve: Serve, tmp_path: Path) -> str:
    """Three albums of three pictures; its base URL."""
    site = Site()
    site.page("/", "".join(f'<a href="/album/{album}/">{album}</a>' for album in range(3)))
    for album in range(3):
        images = [site.picture(f"/{album}{number}.jpg", 10 * album + number) for number in range(3)]
        site.page(f"/album/{album}/", "".join(f'<img src="{image}">' for image in images))
    return serve(site.write(tmp_path / "site")).base


def retry(output: Path, *options: str) -> Crawl:
    """``picspider retry``."""
    done = run("-m", "picspider", "retry", str(output), *options)
    return Crawl(output, done.returncode, done.stdout)


def test_files_deleted_by_hand(site: str, tmp_path: Path) -> None:
    """A file and a folder that were deleted are told by the next run, which does not ask for them, and fetched again
    by a retry, of a subtree too.
    """
    config, output = tmp_path / "site.yaml", tmp_path / "output"
    config.write_text(CONFIG.format(base=site), encoding="utf-8")
    first = picspider_crawl(config, output)
    all_of_them = first.stored()
    assert (len(all_of_them), "Missing" in first.log) == (9, False)
    (output / "pictures/0/01.jpg").unlink()
    shutil.rmtree(output / "pictures/2")

    second = picspider_crawl(config, output)
    assert "Missing   4 of the stored files, as 0/01.jpg, no longer in the folder; to fetch them again:" in second.log
    assert len(second.stored()) == 5

    assert "nothing was fetched" in retry(output, "--reason", "http").log
    below = retry(output, "--under", f"{site}/album/2/")
    assert "Fetching 3 stored pictures again: not in the folder any more." in below.log
    assert "Missing   1 of the stored files, as 0/01.jpg" in below.log
    assert (second.exit_code, below.exit_code) == (2, 2), "a file that is gone is a failure"
    whole = retry(output)
    assert (whole.exit_code, "Missing" in whole.log) == (0, False)
    assert whole.stored() == all_of_them
    assert {record["file"] for record in whole.feed("pictures")} == set(all_of_them)
    assert "nothing was fetched" in retry(output).log


def test_file_that_others_were_the_same_as(serve: Serve, tmp_path: Path) -> None:
    """The file of two addresses is deleted, and the first of them is gone from the site: the second is stored."""
    site, root = Site(), tmp_path / "site"
    site.page("/", f'<img src="{site.picture("/a.jpg", 1)}"><img src="{site.picture("/b.jpg", 1)}">')
    base, config, output = serve(site.write(root)).base, tmp_path / "site.yaml", tmp_path / "output"
    config.write_text(f"entry: {base}/\nlayers: ['\\.jpg$']\n", encoding="utf-8")
    first = picspider_crawl(config, output)
    assert [record["original"]["url"] for record in first.feed("repeats")] == [f"{base}/a.jpg"]
    (output / "pictures" / first.feed("pictures")[0]["file"]).unlink()
    (root / "a.jpg").unlink()
    again = retry(output)
    assert "Fetching 1 stored picture again: not in the folder any more, and 1 of the same content." in again.log
    assert [record["url"] for record in again.feed("failures")] == [f"{base}/a.jpg"]
    assert [record["url"] for record in again.feed("pictures")] == [f"{base}/b.jpg"]
    assert again.feed("repeats") == []
    assert [record["file"] for record in again.feed("pictures")] == list(again.stored())


def test_retry_all_of_scrapy(site: str, tmp_path: Path) -> None:
    """`-a retry=all` fetches them as well."""
    config = CONFIG.format(base=site)
    scrapy_crawl(config, tmp_path / "output")
    (tmp_path / "output/pictures/1/10.jpg").unlink()
    again = scrapy_crawl(config, tmp_path / "output", "-a", "retry=all")
    assert len(again.stored()) == len(again.feed("pictures")) == 9


def test_pictures_on_another_disk_are_not_missed(site: str, tmp_path: Path) -> None:
    """With IMAGES_STORE elsewhere a retry does not take all of them for deleted."""
    config, output = tmp_path / "site.yaml", tmp_path / "output"
    config.write_text(CONFIG.format(base=site), encoding="utf-8")
    scrapy_crawl(str(config), output, "-s", f"IMAGES_STORE={tmp_path / 'disk'}")
    assert len(list((tmp_path / "disk").rglob("*.jpg"))) == 9
    assert "nothing was fetched" in retry(output).log


def test_folder_too_large_to_remember(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a folder holds very many files each one is looked at; only what is stored before the time given counts."""
    monkeypatch.setattr(missing, "MOST_NAMES", 1)
    (tmp_path / "pictures/b").mkdir(parents=True)
    for name in ("a.jpg", "b/1.jpg", "b/2.jpg"):
        (tmp_path / "pictures" / name).touch()
    store = Store(OutputFolder(tmp_path).store_url)
    files = ("a.jpg", "b/1.jpg", "c/1.jpg", "b/3.jpg", "b/2.jpg", "late.jpg")
    facts = {"sha256": "", "sha_key": 0, "width": 1, "height": 1, "format": "JPEG", "bytes": 1}
    with store.transaction() as connection:
        for row, file in enumerate(files):
            connection.execute(insert(picture).values(node=row, file=file, file_key=row, time=float(row), **facts))
    gone = missing_files(store.connection, tmp_path / "pictures")
    assert list(gone.items()) == [(2, "c/1.jpg"), (3, "b/3.jpg"), (5, "late.jpg")], "in the order of the rows"
    assert missing_files(store.connection, tmp_path / "pictures", 3.0) == {2: "c/1.jpg"}
    store.close()


def test_retry_keeps_pictures_in_s3(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The output of a crawl into S3 stays that address; called from elsewhere a retry says so."""
    monkeypatch.chdir(tmp_path)
    output = tmp_path / "downloads/nature"
    store = Store(OutputFolder(output).store_url)
    begin(store, None, '{"output": "s3://gallery/nature"}')
    store.set_meta("config", '{"source": "site.yaml", "overrides": {}}')
    assert config_of(store, Path("downloads/nature"), None).overrides == {"output": "s3://gallery/nature"}
    monkeypatch.chdir("/")
    with pytest.raises(StoreError, match="s3://gallery/nature"):
        config_of(store, output, None)
    store.close()
