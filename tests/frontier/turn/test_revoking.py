from __future__ import annotations

from pathlib import Path

from sqlalchemy import insert, select, update

from picspider.frontier.store.store import Store
from picspider.frontier.turn.outcomes import sha_key
from picspider.frontier.turn.revoking import reopen_placeholders, reopen_taken_back, revoke_content
from picspider.output_folder import OutputFolder
from picspider.schema import State, node, picture, repeat
from tests.report.made_store import LAST_LAYER, MadeStore

SHA, OTHER = "ab" * 32, "ab" * 8 + "cd" * 24
WAITING, DONE, ERROR = State.waiting.value, State.done.value, State.error.value


def test_content_is_taken_back(tmp_path: Path) -> None:
    """All pictures with the very content, and its repeats, become failures; what begins alike, or is a repeat by URL,
    stays.
    """
    made = MadeStore()
    page = made.row("http://a/", "", 0, 0)
    key = sha_key(SHA)
    one = made.stored("http://a/1.jpg", "", page, "1.jpg", sha256=SHA, sha_key=key)
    alike = made.stored("http://a/2.jpg", "", page, "2.jpg", sha256=OTHER, sha_key=key)
    later, of_alike = (made.row(f"http://a/{n}.jpg", "", LAST_LAYER, page, reason="repeat") for n in (3, 4))
    store = Store(OutputFolder(made.write(tmp_path)).store_url)
    place = {"url": "", "parent": page, "layer": LAST_LAYER, "position": 0}
    by_content = [
        {"node": one, "later": later, "by": "content", "sha256": SHA, **place},
        {"node": alike, "later": of_alike, "by": "content", "sha256": OTHER, **place},
        {"node": one, "later": 0, "by": "url", "sha256": None, **place},
    ]
    with store.transaction() as connection:
        connection.execute(insert(repeat), by_content)
        assert revoke_content(connection, "00" * 32, "unknown") == []
        assert revoke_content(connection, SHA, "a stand-in") == ["1.jpg"]
        assert connection.scalars(select(picture.c.node)).all() == [alike]
        assert connection.execute(select(repeat.c.node, repeat.c.by).order_by(repeat.c.id)).all() == [
            (alike, "content"),
            (one, "url"),
        ]
        ends = select(node.c.state, node.c.reason, node.c.message).order_by(node.c.id)
        taken_back = (ERROR, "placeholder", "a stand-in")
        assert connection.execute(ends).all() == [
            (DONE, None, None), taken_back, (DONE, None, None), taken_back, (DONE, "repeat", None),
        ]  # fmt: skip
    store.close()


def test_placeholders_of_a_host_are_asked_for_again(tmp_path: Path) -> None:
    """Those of the host, and none of its other failures."""
    made = MadeStore()
    made.failure("http://a/1.jpg", "", 0, "placeholder", "a stand-in", host="a:80")
    made.failure("http://a/2.jpg", "", 0, "http", "gone", host="a:80")
    made.failure("http://b/3.jpg", "", 0, "placeholder", "a stand-in", host="b:80")
    made.row("http://a/4.jpg", "", LAST_LAYER, 0, host="a:80", reason="placeholder")
    store = Store(OutputFolder(made.write(tmp_path)).store_url)
    with store.transaction() as connection:
        connection.execute(update(node).values(worker="w", status=200))
        assert reopen_placeholders(connection, "a:80") == 1
        ends = select(node.c.state, node.c.reason, node.c.message, node.c.worker, node.c.status).order_by(node.c.id)
        assert connection.execute(ends).all() == [
            (WAITING, None, None, None, None), (ERROR, "http", "gone", "w", 200),
            (ERROR, "placeholder", "a stand-in", "w", 200), (DONE, "placeholder", None, "w", 200),
        ]  # fmt: skip
        assert reopen_placeholders(connection, "c:80") == 0
    store.close()


def test_rows_that_were_taken_back(tmp_path: Path) -> None:
    """Of those that are named, however many, the failures `placeholder`."""
    made = MadeStore()
    taken_back = [made.failure(f"http://a/{n}.jpg", "", 0, "placeholder", "a stand-in") for n in range(1200)]
    gone = made.failure("http://a/gone.jpg", "", 0, "http", "gone")
    store = Store(OutputFolder(made.write(tmp_path)).store_url)
    with store.transaction() as connection:
        assert reopen_taken_back(connection, [*taken_back[1:], gone]) == set(taken_back[1:])
        ends = connection.execute(select(node.c.id, node.c.state, node.c.reason))
        assert {row.id for row in ends if (row.state, row.reason) == (WAITING, None)} == set(taken_back[1:])
        assert reopen_taken_back(connection, [gone]) == reopen_taken_back(connection, []) == set()
    store.close()
