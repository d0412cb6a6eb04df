"""What the pages of a site do not show any more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert, select, update

from picspider.frontier.run.gone import note_gone
from picspider.frontier.run.rejudge import AWAITS_RULE, NOT_SEEN_YET
from picspider.frontier.store.store import Store
from picspider.output_folder import OutputFolder
from picspider.schema import State, node, repeat
from tests.report.made_store import MadeStore

ERROR = State.error.value
ENTRY, READ, FAILING, REFUSED, UNREAD, ELSEWHERE, STORED = range(1, 8)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A page that was read again and one that could not be, with failures below them that await a changed rule."""
    made = MadeStore()
    made.row("http://a/", "", 0, 0)
    made.row("http://a/1", "", 2, ENTRY)
    made.row("http://a/2", "", 2, ENTRY, state=ERROR, reason="http")
    for page in (READ, FAILING, READ):
        made.failure("http://a/x.jpg", "", page, "http", "gone", run=AWAITS_RULE)
    made.stored("http://a/7.jpg", "", READ, "7.jpg")
    store = Store(OutputFolder(made.write(tmp_path)).store_url)
    link = {"url": "", "layer": 3, "position": 0, "by": "url", "later": 0, "again": NOT_SEEN_YET}
    with store.transaction() as connection:
        repeats = [{"node": ELSEWHERE, "parent": FAILING, **link}, {"node": REFUSED, "parent": READ, **link}]
        connection.execute(insert(repeat), repeats)
        connection.execute(update(node).where(node.c.id == STORED).values(run=AWAITS_RULE))
    yield store
    store.close()


def test_failures_that_no_rule_takes(store: Store) -> None:
    """They are removed when their page was read; not what another page may show that was not, nor what is stored."""
    with store.transaction() as connection:
        assert note_gone(connection, 5) == 2
        runs = {row.id: row.run for row in connection.execute(select(node))}
        assert runs == {ENTRY: 1, READ: 1, FAILING: 1, UNREAD: AWAITS_RULE, ELSEWHERE: -5, STORED: -5}


def test_failures_that_are_gone(store: Store) -> None:
    """A page that is gone stays as it was read when something stored hangs on it, and goes with its failures if not."""
    with store.transaction() as connection:
        connection.execute(update(node).where(node.c.id.in_((READ, FAILING))).values(run=0, state=ERROR, reason="http"))
        connection.execute(update(node).where(node.c.parent.in_((READ, FAILING))).values(run=2))
        connection.execute(repeat.delete())
        assert note_gone(connection, 5) == 6
        assert {row.id: row.state for row in connection.execute(select(node))} == {
            ENTRY: State.done.value, READ: State.done.value, STORED: State.done.value,
        }  # fmt: skip


def test_repeats_of_pages_that_failed(store: Store) -> None:
    """They stay; those that a page which was read does not show go."""
    with store.transaction() as connection:
        note_gone(connection, 5)
        assert connection.scalars(select(repeat.c.node)).all() == [ELSEWHERE]


def test_what_hangs_on_a_page_that_is_gone(store: Store) -> None:
    """It is gone as well, though that page was read in this run, unless a page that is not gone shows it, too."""
    with store.transaction() as connection:
        connection.execute(update(node).where(node.c.id == READ).values(run=0))
        connection.execute(update(node).where(node.c.id.in_((REFUSED, ELSEWHERE, STORED))).values(run=5))
        connection.execute(update(repeat).values(again=0))
        note_gone(connection, 5)
        runs = {row.id: row.run for row in connection.execute(select(node))}
    assert runs[READ] == runs[STORED] == -5
    assert runs[ELSEWHERE] == 5
