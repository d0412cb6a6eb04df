from __future__ import annotations

from pathlib import Path

from sqlalchemy import func, select, update

from picspider.frontier.store.store import Store
from picspider.frontier.store.waiting import ROWS_AT_ONCE, portions, set_waiting, to_waiting
from picspider.output_folder import OutputFolder
from picspider.schema import IS_ERROR, IS_WAITING, State, node
from tests.report.made_store import MadeStore


def test_rows_wait_as_if_for_the_first_time(tmp_path: Path) -> None:
    """Nothing is left of an earlier end but what a page showed, named by a condition or one by one; others stay."""
    made = MadeStore()
    rows = 3 * ROWS_AT_ONCE
    for number in range(rows):
        made.row(f"http://a/{number}", "", 1, 0, state=State.error.value, reason="http", message="gone", status=404)
    store = Store(OutputFolder(made.write(tmp_path)).store_url)
    with store.transaction() as connection:
        connection.execute(update(node).values(worker="w", content=7))
        connection.execute(to_waiting(IS_ERROR, node.c.id == 1))
        set_waiting(connection, range(2, rows))
        columns = (node.c.worker, node.c.reason, node.c.message, node.c.status, node.c.content)
        assert connection.scalar(select(func.count()).where(IS_WAITING)) == rows - 1
        assert connection.execute(select(*columns).where(IS_WAITING).distinct()).all() == [(None, None, None, None, 7)]
        assert connection.execute(select(*columns).where(IS_ERROR)).all() == [("w", "http", "gone", 404, 7)]
    store.close()


def test_portions() -> None:
    """No portion is larger than a statement may name, and all are there in order."""
    rows = list(range(2 * ROWS_AT_ONCE + 1))
    assert [len(portion) for portion in portions(rows)] == [ROWS_AT_ONCE, ROWS_AT_ONCE, 1]
    assert [row for portion in portions(rows) for row in portion] == rows
    assert list(portions([])) == []
