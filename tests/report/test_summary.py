from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import func, insert, select

from picspider.commands.opening import opened
from picspider.frontier.store.store import Store
from picspider.output_folder import OutputFolder
from picspider.report.summary import summary_of
from picspider.schema import node, picture, repeat, run, skip
from tests.report.large import LargeSite
from tests.report.made_store import LAST_LAYER, STARTED, MadeStore


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with every kind of mishap."""
    return LargeSite(2000).fill().write(tmp_path_factory.mktemp("store"))


def test_totals_are_those_of_the_crawl(store: Path) -> None:
    """The sum over the layers is what the tables hold, and what reasons and formats add up to."""
    with opened(store) as view:
        summary = summary_of(view.connection)
        rows = {
            table: view.connection.scalar(select(func.count()).select_from(table)) for table in (picture, skip, repeat)
        }
    assert [summary.totals.pictures, summary.totals.skips, summary.totals.repeats] == list(rows.values())
    assert sum(one.count for one in summary.reasons) == summary.totals.failures > 0
    assert sum(count for _, count, _ in summary.formats) == summary.totals.pictures > 0
    assert sum(count for _, count in summary.sizes) == summary.totals.pictures
    assert sum(summary.time_line.pictures) == summary.totals.pictures
    assert sum(summary.time_line.failures) == summary.totals.failures
    assert sum(summary.time_line.bytes) == summary.bytes
    assert [layer.name for layer in summary.layers] == ["entry", "album", "photo", "picture"]


def test_failures_that_may_pass(tmp_path: Path) -> None:
    """Of error statuses only those count that may be gone in a while."""
    made = MadeStore()
    page = made.row("https://a.example/", "", 0, 0)
    for number, status in enumerate((500, 503, 404)):
        made.failure(f"https://a.example/{number}.jpg", "", page, "http", "no", status=status)
    made.failure("https://a.example/cut.jpg", "", page, "truncated", "cut", status=200)
    with opened(made.write(tmp_path / "out")) as view:
        reasons = summary_of(view.connection).reasons
    assert [(one.reason, one.passing, one.count) for one in reasons] == [("http", 2, 3), ("truncated", 1, 1)]


def test_empty_crawl(tmp_path: Path) -> None:
    """A crawl without a row has a summary of nothing."""
    with opened(MadeStore().write(tmp_path / "out")) as view:
        summary = summary_of(view.connection)
    assert summary.totals.sightings == summary.rows == summary.bytes == 0
    assert summary.entry == ()


def test_changes_since_the_last_run(tmp_path: Path) -> None:
    """After a second run new, changed and gone are counted and named; after the first there is nothing to compare."""
    made = MadeStore()
    page = made.row("https://a.example/", "", 0, 0, run=2)
    made.row("https://a.example/1.jpg", "", LAST_LAYER, page, run=-2)
    output = made.write(tmp_path / "out")
    with opened(output) as view:
        assert summary_of(view.connection).changes is None
    made.row("https://me:hidden@a.example/2.jpg", "", LAST_LAYER, page, run=2)
    store = Store(OutputFolder(output).store_url)
    with store.transaction() as connection:
        connection.execute(insert(run).values(started=STARTED + 9, rows_before=2))
        connection.execute(insert(node).values(made.nodes[-1]))
    store.close()
    with opened(output) as view:
        news = summary_of(view.connection).changes
    assert news is not None
    assert news.counts == (("changed", "page", 1), ("gone", "picture", 1), ("new", "picture", 1))
    assert news.rows == (
        ("new", "picture", "https://a.example/2.jpg"),
        ("changed", "page", "https://a.example/"),
        ("gone", "picture", "https://a.example/1.jpg"),
    )


def test_password_of_the_entry_is_left_out(tmp_path: Path) -> None:
    """An entry address with a password shows without it."""
    made = MadeStore()
    made.row("https://me:hidden@a.example/", "", 0, 0)
    with opened(made.write(tmp_path / "out")) as view:
        assert summary_of(view.connection).entry == ("https://a.example/",)
