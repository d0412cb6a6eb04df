from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from sqlalchemy import insert, select, update

from picspider.errors import StoreError
from picspider.frontier.run.beginning import MARKED, RENAME_KEY, begin, recover, tell
from picspider.frontier.run.changes import Changes
from picspider.frontier.store.store import Store
from picspider.frontier.store.workers import one_at_a_time
from picspider.kept_config import newest_config_json
from picspider.output_folder import OutputFolder
from picspider.schema import State, meta, node, run
from tests.report.made_store import MadeStore

WAITING, RUNNING, DONE, ERROR = (state.value for state in State)
PAGES = {
    "",
    *(f"album/{album}" for album in range(10)),
    *(f"photo/{album}{photo}" for album in range(10) for photo in (0, 1)),
}


@pytest.fixture
def made() -> MadeStore:
    """An entry, ten albums, and in each of them two photo pages, of which each has one picture."""
    made = MadeStore()
    made.row("http://a/", "", 0, 0, links=10)
    for album in range(10):
        page = made.row(f"http://a/album/{album}", "", 1, 1, links=2)
        for photo in range(2):
            above = made.row(f"http://a/photo/{album}{photo}", "", 2, page, links=1)
            made.stored(f"http://a/{album}{photo}.jpg", "", above, f"{album}{photo}.jpg")
    return made


def opened(made: MadeStore, folder: Path) -> Store:
    """The store of *made*."""
    for row in made.nodes:
        row.setdefault("links", None)
    store = Store(OutputFolder(made.write(folder)).store_url)
    with store.transaction() as connection:
        connection.execute(update(run).values(config="{}"))
    return store


def waiting(store: Store) -> set[str]:
    """The last parts of the URLs that wait."""
    urls = store.connection.scalars(select(node.c.url).where(node.c.state == WAITING))
    return {url.removeprefix("http://a/") for url in urls}


@pytest.fixture
def failed(made: MadeStore, tmp_path: Path) -> Iterator[Store]:
    """A crawl with two failures."""
    store = opened(made, tmp_path)
    failure = {"state": ERROR, "reason": "http", "status": 404}
    with store.transaction() as connection:
        connection.execute(update(node).where(node.c.url.in_(("http://a/00.jpg", "http://a/11.jpg"))).values(**failure))
    yield store
    store.close()


def test_pages_are_looked_at_again(made: MadeStore, tmp_path: Path) -> None:
    """A crawl that is done reads its pages again, and asks for no picture."""
    store = opened(made, tmp_path)
    assert begin(store, None, "{}") == "refresh"
    assert waiting(store) == PAGES
    assert store.run == 2
    store.close()


def test_failures_are_part_of_a_refresh(failed: Store) -> None:
    """They are tried once more with it."""
    assert begin(failed, None, "{}") == "refresh"
    assert {"00.jpg", "11.jpg"} < waiting(failed)


def test_retry_of_all(failed: Store) -> None:
    """It opens the failures alone."""
    assert begin(failed, "all", "{}") == "retry"
    assert waiting(failed) == {"00.jpg", "11.jpg"}


def test_retry_of_files_that_are_gone(failed: Store, tmp_path: Path) -> None:
    """With the folder of the pictures at hand, `all` means what was deleted there, too."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number in range(100):
        (folder / f"{number:02}.jpg").touch()
    (folder / "31.jpg").unlink()
    assert begin(failed, "all", "{}", folder) == "retry"
    assert waiting(failed) == {"00.jpg", "11.jpg", "31.jpg"}


def test_retry_of_a_list(failed: Store, tmp_path: Path) -> None:
    """It opens those failures that are named in it, and nothing that did not fail."""
    file = tmp_path / "failures.json"
    file.write_text(json.dumps([{"url": f"http://a/{name}"} for name in ("11.jpg", "10.jpg", "new.jpg")]))
    assert begin(failed, str(file), "{}") == "retry"
    assert waiting(failed) == {"11.jpg"}


def test_retry_of_a_list_asks_for_nothing_else(failed: Store, tmp_path: Path) -> None:
    """Files that are gone from the folder of the pictures are no part of it."""
    file, pictures = tmp_path / "failures.json", tmp_path / "pictures"
    file.write_text('[{"url": "http://a/11.jpg"}]')
    pictures.mkdir()
    assert begin(failed, str(file), "{}", pictures) == "retry"
    assert waiting(failed) == {"11.jpg"}


def test_retry_of_what_is_marked(failed: Store) -> None:
    """It opens nothing of its own."""
    assert begin(failed, MARKED, "{}") == "retry"
    assert waiting(failed) == set()


@pytest.mark.parametrize("content", [None, "{", "[1]", '["url"]', '[{"link": ""}]', "3"])
def test_what_is_no_list_of_failures(failed: Store, tmp_path: Path, content: str | None) -> None:
    """It is refused before anything is changed."""
    file = tmp_path / "other.json"
    if content is not None:
        file.write_text(content)
    with pytest.raises(StoreError, match=r"other\.json: this is no failures\.json"):
        begin(failed, str(file), "{}")
    assert failed.run == 0


@pytest.mark.parametrize("state", [WAITING, RUNNING])
def test_interrupted_crawl_goes_on(failed: Store, state: int) -> None:
    """What was running or waits is fetched, and nothing is looked at again; failures stay."""
    with failed.transaction() as connection:
        connection.execute(update(node).where(node.c.id == 5).values(state=state, worker="w"))
    assert begin(failed, None, "{}") == "resume"
    assert waiting(failed) == {"photo/01"}
    assert failed.connection.scalar(select(node.c.worker).where(node.c.id == 5)) == (None if state == RUNNING else "w")


OLD, NEW = (
    json.dumps({"layers": [{"links": "/album/"}, {"links": rule}, {"links": "jpg"}]}) for rule in ("/photo/", "/p")
)


def test_changed_config_of_a_finished_crawl(failed: Store) -> None:
    """It is brought up to date as by the same config, failures included, and the change is applied."""
    with failed.transaction() as connection:
        connection.execute(update(run).values(config=OLD))
    assert begin(failed, None, NEW) == "refresh"
    assert waiting(failed) == {*PAGES, "00.jpg", "11.jpg"}
    assert newest_config_json(failed.connection) == NEW


def test_changed_config_of_an_interrupted_crawl(failed: Store) -> None:
    """It goes on, and reads the pages of the layers whose rules have changed; failures stay."""
    with failed.transaction() as connection:
        connection.execute(update(run).values(config=OLD))
        connection.execute(update(node).where(node.c.url == "http://a/31.jpg").values(state=WAITING))
    assert begin(failed, None, NEW) == "resume"
    assert waiting(failed) == {"31.jpg", *(f"album/{album}" for album in range(10))}


@pytest.mark.parametrize("retry", [None, "all"])
def test_failures_that_await_a_changed_rule(failed: Store, retry: str | None) -> None:
    """They are not fetched before their page has shown them; those of other layers are."""
    other = json.dumps({"layers": [{"links": "/album/"}, {"links": "/photo/"}, {"links": "png"}]})
    with failed.transaction() as connection:
        connection.execute(update(run).values(config=OLD))
        connection.execute(update(node).where(node.c.url == "http://a/album/3").values(state=ERROR, links=None))
    begin(failed, retry, other)
    assert "album/3" in waiting(failed)
    assert waiting(failed).isdisjoint(("00.jpg", "11.jpg"))


def test_retry_of_a_long_list(failed: Store, tmp_path: Path) -> None:
    """It may name more URLs than a statement of the database takes."""
    file = tmp_path / "failures.json"
    file.write_text(json.dumps([{"url": f"http://a/{number}.jpg"} for number in range(300_000)]))
    assert begin(failed, str(file), "{}") == "retry"
    assert waiting(failed) == {"11.jpg"}


def test_new_crawl(tmp_path: Path) -> None:
    """A store without a row is new, whatever is asked for."""
    store = Store(OutputFolder(tmp_path).store_url)
    assert newest_config_json(store.connection) is None
    assert begin(store, None, "{}") == "new"
    assert begin(store, "all", '{"pictures": {"min_width": 7}}') == "new"
    store.close()


def test_spider_of_others_recovers_what_ran(failed: Store) -> None:
    """What was interrupted goes on; nothing else is repeated."""
    with failed.transaction() as connection:
        connection.execute(update(node).where(node.c.id == 5).values(state=RUNNING, worker="w"))
    recover(failed)
    assert waiting(failed) == {"photo/01"}
    assert failed.connection.scalar(select(node.c.worker).where(node.c.id == 5)) is None
    assert newest_config_json(failed.connection) == "{}"


def test_new_template_of_names(failed: Store, caplog: pytest.LogCaptureFixture) -> None:
    """The stored pictures are to be renamed if they lie in a folder of this run alone; else it is only told."""
    noted = select(meta.c.value).where(meta.c.key == RENAME_KEY)
    with failed.transaction() as connection, caplog.at_level(logging.WARNING):
        tell(connection, Changes(), may_rename=True)
        assert caplog.text == ""
        tell(connection, Changes(name=True), may_rename=False)
        assert "the 20 stored pictures keep the names" in caplog.text
        assert connection.scalar(noted) is None
        connection.execute(insert(meta).values(key=RENAME_KEY, value="1"))
        tell(connection, Changes(name=True), may_rename=True)
        assert "the 20 stored pictures are named by it, too" in caplog.text
        assert connection.scalar(noted) == "20"


def test_new_entries_are_told(failed: Store, caplog: pytest.LogCaptureFixture) -> None:
    """The first of them by name, the others by their number."""
    with failed.transaction() as connection, caplog.at_level(logging.WARNING):
        tell(connection, Changes(new_entries=("http://b/", "http://c/", "http://d/")), may_rename=True)
        assert "crawled from now on is also http://b/ and 2 more" in caplog.text
        assert "what stands under" not in caplog.text
        tell(connection, Changes(old_entries=("http://b/",)), may_rename=True)
        assert "what stands under http://b/ stays" in caplog.text
        assert connection.scalar(select(meta.c.value).where(meta.c.key == RENAME_KEY)) is None


@pytest.mark.parametrize(("config", "told"), [("{}", False), ('{"entry": "http://b/"}', True)])
def test_worker_with_another_config(
    database: str, caplog: pytest.LogCaptureFixture, config: str, *, told: bool
) -> None:
    """It is told that the run of the others goes by theirs."""
    stores = [Store(database), Store(database)]
    begin(stores[0], None, '{"entry": "http://a/"}' if told else "{}")
    assert begin(stores[1], None, config) == "resume"
    assert ("The other workers have another config" in caplog.text) is told
    for store in stores:
        store.close()


def test_beginnings_come_one_after_the_other(database: str) -> None:
    """Of two workers that begin at once the second waits, and joins the run of the first."""
    stores = [Store(database), Store(database)]
    began: list[str] = []

    def second() -> None:
        began.append(begin(stores[1], None, "{}"))

    thread = Thread(target=second)
    with stores[0].transaction() as connection:
        one_at_a_time(connection)
        thread.start()
        thread.join(0.5)
        assert began == []
        assert stores[0].enter_run(connection, "{}")
    thread.join(10)
    assert began == ["resume"]
    assert stores[0].run == stores[1].run == 1
    for store in stores:
        store.close()
