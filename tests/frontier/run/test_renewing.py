from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from picspider.frontier.run.renewing import (
    RENEWING,
    expired_below,
    give_up_renewing,
    mark_for_retry,
    passing_failures,
    renew,
)
from picspider.frontier.store.store import Store
from picspider.output_folder import OutputFolder
from picspider.schema import State, node
from tests.report.made_store import LAST_LAYER, MadeStore

PAGE = 2
WAITING, DONE, ERROR = State.waiting.value, State.done.value, State.error.value


def store_of(folder: Path, *failures: dict[str, Any]) -> Store:
    """An entry page, the page that linked everything, and *failures* of pictures from row 3 on."""
    made = MadeStore()
    entry = made.row("http://a/", "", 0, 0)
    assert made.row("http://a/album", "", 1, entry) == PAGE
    for number, columns in enumerate(failures):
        facts = {"url": f"http://a/{number}.jpg?sig=1", "layer": LAST_LAYER, "parent": PAGE, **columns}
        made.row(**{"text": "", "state": ERROR, "status": 403, "reason": "http", "message": "told", **facts})
    store = Store(OutputFolder(made.write(folder)).store_url)
    with store.transaction() as connection:
        connection.execute(update(node).values(worker="w"))
    return store


@pytest.fixture
def expired(tmp_path: Path) -> Iterator[Store]:
    """Two pictures whose addresses have expired, marked: they wait for their page."""
    store = store_of(tmp_path, {}, {})
    with store.transaction() as connection:
        mark_for_retry(connection, [3, 4])
    yield store
    store.close()


def states(store: Store) -> list[tuple[int, str | None]]:
    """State and message of each row."""
    return [(row.state, row.message) for row in store.connection.execute(select(node).order_by(node.c.id))]


@pytest.mark.parametrize("expired", [{"status": 401}, {"status": 403}, {"status": 404}, {"status": 410},
                                     {"reason": "login-redirect", "status": 200},
                                     {"reason": "not-a-picture", "status": 200}])  # fmt: skip
def test_expired_addresses_wait_for_their_page(tmp_path: Path, expired: dict[str, Any]) -> None:
    """A picture with a query that is refused stays a failure until its page, which is read again, shows it anew."""
    store = store_of(tmp_path, expired)
    with store.transaction() as connection:
        mark_for_retry(connection, iter([3]))
    assert states(store) == [(DONE, None), (WAITING, None), (ERROR, RENEWING)]
    store.close()


@pytest.mark.parametrize(
    "failure",
    [
        {"status": 500},
        {"reason": "timeout", "status": None},
        {"url": "http://a/plain.jpg"},
        {"url": "http://a/list?p=2", "kind": 0},
        {"parent": 0},
    ],
)
def test_other_failures_are_asked_for_as_they_are(tmp_path: Path, failure: dict[str, Any]) -> None:
    """What cannot have expired waits itself, with nothing left of its failure; its page stays as it is."""
    store = store_of(tmp_path, failure, {})
    with store.transaction() as connection:
        mark_for_retry(connection, [])
        mark_for_retry(connection, [3])
    assert states(store) == [(DONE, None), (DONE, None), (WAITING, None), (ERROR, "told")]
    left = select(node.c.status, node.c.reason, node.c.worker).where(node.c.id == 3)
    assert store.connection.execute(left).one() == (None, None, None)
    store.close()


def test_many_failures_are_marked(tmp_path: Path) -> None:
    """More of them than a statement may have parameters."""
    store = store_of(tmp_path, *({"url": f"http://a/{n}.jpg?"} for n in range(1001)))
    with store.transaction() as connection:
        mark_for_retry(connection, range(3, 1004))
    assert states(store)[2:] == [(ERROR, RENEWING)] * 1001
    store.close()


def test_fresh_addresses_take_the_place_of_the_expired(expired: Store) -> None:
    """A row that gets its fresh address is fetched from there; what its page does not show again is given up."""
    with expired.transaction() as connection:
        assert expired_below(connection, PAGE) == [(3, "http://a/0.jpg?sig=1"), (4, "http://a/1.jpg?sig=1")]
        assert expired_below(connection, 1) == []
        assert renew(connection, []) == []
        assert renew(connection, [(3, "http://a/0.jpg?sig=2", 77)]) == [3]
        assert expired_below(connection, PAGE) == [(4, "http://a/1.jpg?sig=1")]
        columns = (node.c.url, node.c.key, node.c.state, node.c.reason, node.c.message, node.c.status, node.c.worker)
        assert connection.execute(select(*columns).where(node.c.id == 3)).one() == (
            "http://a/0.jpg?sig=2", 77, WAITING, None, None, None, None,
        )  # fmt: skip
        connection.execute(update(node).where(node.c.id == 1).values(message=RENEWING))
        give_up_renewing(connection)
    assert states(expired) == [
        (DONE, RENEWING), (WAITING, None), (WAITING, None),
        (ERROR, "the address has expired, and its page gave no fresh one"),
    ]  # fmt: skip


def test_fresh_address_that_another_row_has(expired: Store) -> None:
    """It stays with that row, be it one that was found elsewhere or one that gets it now."""
    with expired.transaction() as connection:
        page_key = connection.scalar(select(node.c.key).where(node.c.id == PAGE))
        assert page_key is not None
        assert renew(connection, [(3, "http://a/list", page_key)]) == []
        assert renew(connection, [(3, "http://a/0.jpg?sig=2", 77), (4, "http://a/0.jpg?sig=2", 77)]) == [3]
        assert expired_below(connection, PAGE) == [(4, "http://a/1.jpg?sig=1")]
        assert renew(connection, [(3, "http://a/0.jpg?sig=2", 77)]) == [3], "it is its own"
    assert states(expired)[2:] == [(WAITING, None), (ERROR, RENEWING)]


def test_failures_that_may_have_passed(tmp_path: Path) -> None:
    """Of the failures in the time given those whose reason passes, and the statuses of a server that is busy or ill."""
    cases: list[tuple[dict[str, Any], bool]] = [
        ({"reason": "timeout", "status": None}, True),
        ({"status": 408}, True),
        ({"status": 425}, True),
        ({"status": 429}, True),
        ({"status": 500}, True),
        ({"status": 599}, True),
        ({"status": 501}, False),
        ({"status": 511}, False),
        ({"status": 999}, False),
        ({"status": 499}, False),
        ({"status": 404}, False),
        ({"reason": "corrupt", "status": 503}, False),
        ({"reason": "timeout", "time": 10.0}, True),
        ({"reason": "timeout", "time": 9.9}, False),
        ({"reason": "timeout", "time": 20.0}, False),
        ({"reason": "timeout", "state": DONE}, False),
    ]
    store = store_of(tmp_path, *({"time": 15.0, **columns} for columns, _ in cases))
    found = passing_failures(store.connection, 10.0, 20.0)
    assert [row in found for row in range(3, 3 + len(cases))] == [passes for _, passes in cases]
    store.close()
