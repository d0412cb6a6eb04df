from __future__ import annotations

import contextlib
import sqlite3
from hashlib import sha256
from pathlib import Path

import pytest
from sqlalchemy import func, insert, inspect, select, text, update

from picspider.errors import StoreError
from picspider.frontier.run.beginning import begin
from picspider.frontier.store import migrations
from picspider.frontier.store.store import Store
from picspider.output_folder import OutputFolder
from picspider.schema import SCHEMA_VERSION, host_share, kept_page, meta, node, run
from tests.conftest import Serve
from tests.crawls.running import scrapy_crawl
from tests.sites.site import Site


def opened(folder: Path, *, create: bool = True) -> Store:
    """The store of *folder*."""
    return Store(OutputFolder(folder).store_url, create=create)


def fill(folder: Path) -> Path:
    """A store with some content, closed; its file."""
    store = opened(folder)
    begin(store, None, "{}")
    with store.transaction() as connection:
        connection.execute(insert(meta), [{"key": f"k{number}", "value": "x" * 1000} for number in range(200)])
    store.close()
    return folder / "crawl.db"


def digest(file: Path) -> str:
    """SHA-256 of *file*."""
    return sha256(file.read_bytes()).hexdigest()


def test_second_opening_finds_the_first_ones_work(tmp_path: Path) -> None:
    """What was committed is there after closing and opening again."""
    fill(tmp_path)
    store = opened(tmp_path, create=False)
    assert store.get_meta("k7") == "x" * 1000
    assert begin(store, None, "{}")
    assert store.run == 2
    store.close()


def test_no_crawl_here(tmp_path: Path) -> None:
    """Without leave to create one, a folder without a store is told to be without a crawl."""
    with pytest.raises(StoreError, match="there is no crawl here"):
        opened(tmp_path, create=False)
    assert not (tmp_path / "crawl.db").exists()


@pytest.mark.parametrize("content", [b"just text, no database at all" * 10, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_what_is_no_database_is_refused_and_left_alone(content: bytes, tmp_path: Path) -> None:
    """A file that is no database, or only looks like one, is refused; not a byte of it changes."""
    file = tmp_path / "crawl.db"
    file.write_bytes(content)
    with pytest.raises(StoreError, match="Nothing was changed"):
        opened(tmp_path)
    assert file.read_bytes() == content


def test_foreign_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    """Another program's database is refused; not a byte of it changes, not even to switch its journal mode."""
    file = tmp_path / "crawl.db"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    before = digest(file)
    with pytest.raises(StoreError, match="another program's database"):
        opened(tmp_path)
    assert digest(file) == before
    assert [path.name for path in tmp_path.iterdir()] == ["crawl.db"]


def test_cut_or_damaged_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    """A store that lacks its end, or whose first pages are garbage, is refused with words; it is not touched."""
    file = fill(tmp_path)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StoreError, match="cut short"):
        opened(tmp_path)
    damaged = whole[:100] + b"\xab" * 12000 + whole[12100:]
    file.write_bytes(damaged)
    with pytest.raises(StoreError, match="cannot be read"):
        opened(tmp_path)
    assert file.read_bytes() == damaged


def test_empty_file_becomes_a_store(tmp_path: Path) -> None:
    """An empty file, as a run killed at its very beginning leaves it, is no obstacle."""
    (tmp_path / "crawl.db").touch()
    store = opened(tmp_path)
    assert store.get_meta("schema_version") == str(SCHEMA_VERSION)
    store.close()


def test_store_is_made_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that dies while it makes the tables leaves none, and the next one makes them all."""

    def dies(*_key_and_value: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("picspider.frontier.store.store.insert", dies)
        with pytest.raises(KeyboardInterrupt):
            opened(tmp_path)
    with contextlib.closing(sqlite3.connect(tmp_path / "crawl.db")) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == []
    store = opened(tmp_path)
    assert store.get_meta("schema_version") == str(SCHEMA_VERSION)
    store.close()


def test_newer_schema_is_refused(tmp_path: Path) -> None:
    """A store of a version that this program does not know is refused, naming both."""
    store = opened(tmp_path)
    with store.transaction() as connection:
        connection.execute(update(meta).where(meta.c.key == "schema_version").values(value="99"))
    store.close()
    with pytest.raises(StoreError, match=f"schema 99, this one reads {SCHEMA_VERSION}"):
        opened(tmp_path)


def test_older_schema_is_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store of an older version goes through each migration in turn."""
    store = opened(tmp_path)
    with store.transaction() as connection:
        connection.execute(update(meta).where(meta.c.key == "schema_version").values(value="0"))
    store.close()

    def from_nothing(connection: object) -> None:
        connection.execute(insert(meta).values(key="migrated", value="yes"))  # type: ignore[attr-defined]

    monkeypatch.setitem(migrations.MIGRATIONS, 0, from_nothing)
    store = opened(tmp_path)
    assert (store.get_meta("schema_version"), store.get_meta("migrated")) == (str(SCHEMA_VERSION), "yes")
    store.close()


def test_first_schema_gets_what_it_lacks(tmp_path: Path) -> None:
    """The tables and the column that the first version did not have are there after it was opened."""
    store = opened(tmp_path)
    with store.transaction() as connection:
        connection.execute(update(meta).where(meta.c.key == "schema_version").values(value="1"))
        kept_page.drop(connection)
        host_share.drop(connection)
        connection.execute(text("ALTER TABLE run DROP COLUMN rows_before"))
    store.close()
    store = opened(tmp_path)
    assert store.get_meta("schema_version") == str(SCHEMA_VERSION)
    assert {"kept_page", "host_share"} <= set(inspect(store.engine).get_table_names())
    assert "rows_before" in {column["name"] for column in inspect(store.engine).get_columns("run")}
    store.close()


def test_transaction_is_rolled_back_when_the_block_raises(tmp_path: Path) -> None:
    """Nothing of a transaction that failed stays."""
    store = opened(tmp_path)
    with contextlib.suppress(ZeroDivisionError), store.transaction() as connection:
        connection.execute(insert(run).values(started=1.0))
        raise ZeroDivisionError
    with store.transaction() as connection:
        assert connection.scalar(select(func.count()).select_from(run)) == 0
        assert connection.scalar(select(func.count()).select_from(node)) == 0
    store.close()


def test_store_that_breaks_in_mid_run(serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store damaged while a crawl runs ends it with an error that says so; the feeds of the last run stay."""
    site = Site()
    site.page("/", "".join(f'<img src="{site.picture(f"/{n}.jpg", n)}">' for n in range(60)))
    server = serve(site.write(tmp_path / "site"))
    config = f"entry: {server.base}/\nlayers: ['\\.jpg$']\nfetch: {{concurrency: 2, delay: 0.03}}\n"
    output = tmp_path / "output"
    scrapy_crawl(config + "limits: {pictures: 5}\n", output)
    feed = digest(output / "pictures.json")
    monkeypatch.setenv("BREAKS", str(output / "crawl.db"))
    pipelines = '{"picspider.pictures.pipeline.PicturePipeline": 300, "tests.frontier.strangers.Breaker": 200}'
    crawl = scrapy_crawl(config, output, "-s", f"ITEM_PIPELINES={pipelines}")
    assert "the crawl store cannot be read" in crawl.log, crawl.log[-3000:]
    assert "Nothing was changed" in crawl.log
    assert digest(output / "pictures.json") == feed
