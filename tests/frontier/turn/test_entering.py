from __future__ import annotations

from threading import Thread
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from picspider.frontier.run.beginning import begin
from picspider.frontier.run.rejudge import AWAITS_RULE, NOT_SEEN_YET
from picspider.frontier.store.store import Store
from picspider.frontier.turn.batch import Batch, Turned, Want
from picspider.frontier.turn.entering import is_repeat, lookup
from picspider.frontier.turn.turn import turn
from picspider.records import Answer, Facts, Lost, Outcome, PageRead, Sighting, Skipped, Stored
from picspider.schema import KindCode, State, node, picture, repeat, skip

PAGE, PICTURE = KindCode.page.value, KindCode.picture.value


def sighting(number: int, parent: int = 0, **facts: Any) -> Sighting:
    """The sighting of URL *number* on the page *parent*."""
    first = Sighting(f"http://a/{number}", number, "a:80", 2, 1, "page", parent, 4, 0, "text", -2, 0)
    return first._replace(**facts)


def entered(store: Store, *sightings: Sighting) -> Turned:
    """Enter them in a turn."""
    return turn(store, Batch(sightings=list(sightings)), Want(0))


def test_all_columns(store: Store) -> None:
    """Each stands where it belongs; a row without chain or rank is its own."""
    facts = {"page": 3, "kind": "picture", "position": 8, "chain": 5, "rank": 6, "priority": 7, "request": "{}"}
    entered(store, sighting(101, 9), sighting(102, 9, **facts))
    names = ("id", "key", "url", "host", "layer", "page", "kind", "parent", "position", "chain", "rank", "priority")
    columns = [node.c[name] for name in (*names, "state", "attempts", "text", "run", "request")]
    with store.transaction() as connection:
        assert connection.execute(select(*columns).order_by(node.c.id)).all() == [
            (1, 101, "http://a/101", "a:80", 2, 1, PAGE, 9, 4, 1, 1, -2, 0, 0, "text", 1, None),
            (2, 102, "http://a/102", "a:80", 2, 3, PICTURE, 9, 8, 5, 6, 7, 0, 0, "text", 1, "{}"),
        ]


def test_what_is_known_of_them(store: Store) -> None:
    """New or not, each sighting's row and its page are told, by its token if it has one."""
    turned = entered(store, sighting(101, 9), sighting(102, 9, token="two"), sighting(101, 8))
    assert turned.known == {"http://a/101": (1, 9), "two": (2, 9)}
    assert (turned.new, turned.repeats, turned.reopened) == (2, 1, 0)
    again = entered(store, sighting(101, 7), sighting(102, 9, token="2"))
    assert again.known == {"http://a/101": (1, 9), "2": (2, 9)}
    assert (again.new, again.repeats) == (0, 1)


def test_repeats_are_told_once(store: Store) -> None:
    """As they stand on their page; those of a crawl that tells none are not."""
    entered(store, sighting(101, 9), sighting(101, 8, repeats=False))
    entered(store, sighting(101, 7, repeats=False))
    later = sighting(101, 6, url="http://a/101?", page=2, position=5, text="later")
    entered(store, later, later, later._replace(again=True))
    columns = [repeat.c[name] for name in ("node", "url", "parent", "layer", "page", "position", "by", "later", "text")]
    facts = (1, "http://a/101?", 6, 2, 2, 5, "url", 0, "later")
    with store.transaction() as connection:
        rows = connection.execute(select(*columns, repeat.c.again).order_by(repeat.c.again)).all()
        assert rows == [(*facts, 0), (*facts, 1)]


def test_what_is_a_repeat() -> None:
    """A second link of a page, or a link on another page; no entry page, and not the same link looked at again."""
    assert is_repeat(sighting(1, 5), 4)
    assert is_repeat(sighting(1, 5, again=True), 5)
    assert not is_repeat(sighting(1, 5), 5)
    assert not is_repeat(sighting(1, 0), 4)


def test_row_takes_its_new_place(store: Store) -> None:
    """Where its page is read again, the first link that is met there is where it stands, and the next ones repeats."""
    entered(store, sighting(101, 9), sighting(102, 9, chain=9))
    with store.transaction() as connection:
        connection.execute(update(node).values(run=0))
    moved = {"position": 6, "page": 2, "layer": 3}
    turned = entered(store, sighting(101, 8, **moved, text="new"), sighting(101, 7), sighting(102, 8, chain=8))
    assert (turned.new, turned.repeats, turned.reopened) == (0, 1, 0)
    assert turned.known == {"http://a/101": (1, 8), "http://a/102": (2, 8)}
    columns = [node.c[name] for name in ("run", "parent", "position", "page", "layer", "chain", "text")]
    with store.transaction() as connection:
        assert connection.execute(select(*columns).order_by(node.c.id)).all() == [
            (1, 8, 6, 2, 3, 1, "text"),
            (1, 8, 4, 1, 2, 8, "text"),
        ]
        places = select(repeat.c.node, repeat.c.parent, repeat.c.again).order_by(repeat.c.node, repeat.c.parent)
        assert connection.execute(places).all() == [(1, 7, 0), (1, 9, NOT_SEEN_YET), (2, 9, NOT_SEEN_YET)]


@pytest.mark.parametrize(("parent", "run"), [(0, 0), (8, 0), (9, 1), (9, -2)])
def test_place_that_is_not_kept(store: Store, parent: int, run: int) -> None:
    """An entry, a row that stands where it stood, one that was seen in this run, or one that was gone before."""
    entered(store, sighting(101, parent))
    with store.transaction() as connection:
        connection.execute(update(node).values(run=run))
    entered(store, sighting(101, 8))
    with store.transaction() as connection:
        kept = select(repeat.c.parent).where(repeat.c.again == NOT_SEEN_YET)
        assert connection.scalars(kept).all() == []


def test_failure_that_the_new_rule_takes(store: Store) -> None:
    """It is fetched again once its page has shown it; one that no rule awaits is left as it is."""
    entered(store, sighting(101, 9), sighting(102, 9))
    turn(store, Batch(outcomes={row: Lost(Answer(404), "http", "gone") for row in (1, 2)}), Want(0))
    with store.transaction() as connection:
        connection.execute(update(node).where(node.c.id == 1).values(run=AWAITS_RULE))
        connection.execute(update(node).where(node.c.id == 2).values(run=0))
    assert entered(store, sighting(101, 9), sighting(102, 9)).reopened == 1
    with store.transaction() as connection:
        states = connection.execute(select(node.c.state, node.c.run).order_by(node.c.id)).all()
    assert states == [(State.waiting.value, 1), (State.error.value, 1)]


def test_page_that_is_a_picture_now(store: Store) -> None:
    """With what hung on it gone it is fetched again, as what it is now; a row of the same kind stays done."""
    entered(store, *(sighting(number, 9, kind="picture") for number in (101, 102, 103)), sighting(104, 9))
    facts = Facts("JPEG", 1, 1, ".jpg", 1)
    outcomes = {row: Stored(Answer(200), f"{row}.jpg", row, "ab" * 32, facts) for row in (1, 2)}
    ended: dict[int, Outcome] = {**outcomes, 3: Skipped(Answer(), "too-small", "small"), 4: PageRead(Answer(200), 1, 1)}
    turn(store, Batch(outcomes=ended), Want(0))
    with store.transaction() as connection:
        connection.execute(update(node).values(run=-2))
    kinds = {101: "page", 102: "picture", 103: "page", 104: "picture"}
    turned = entered(store, *(sighting(number, 8, kind=kind) for number, kind in kinds.items()))
    assert turned.reopened == 3
    waiting, done = State.waiting.value, State.done.value
    with store.transaction() as connection:
        assert connection.execute(select(node.c.state, node.c.kind).order_by(node.c.id)).all() == [
            (waiting, PAGE), (done, PICTURE), (waiting, PAGE), (waiting, PICTURE),
        ]  # fmt: skip
        assert connection.scalars(select(picture.c.node)).all() == [2]
        assert connection.scalars(select(skip.c.node)).all() == []


def test_keys_of_redirects(store: Store) -> None:
    """A key is looked up among the rows first, then among where redirects ended; an unknown one is not found."""
    entered(store, sighting(101, 9), sighting(102, 9, kind="picture"))
    turn(store, Batch(outcomes={1: PageRead(Answer(200, "http://a/7"), 1, 1)}, aliases={7: 1, 102: 1}), Want(0))
    with store.transaction() as connection:
        assert lookup(store, connection, {7, 101, 102, 103}) == {
            7: (1, 9, 1, PAGE), 101: (1, 9, 1, PAGE), 102: (2, 9, 1, PICTURE),
        }  # fmt: skip


def test_another_worker_was_faster(database: str) -> None:
    """A URL that comes into a shared table between our look and our writing is a repeat of that row."""
    store, other = Store(database), Store(database)
    begin(store, None, "{}")
    told: list[Turned] = []
    thread = Thread(target=lambda: told.append(entered(store, sighting(103, 9), sighting(102, 9), sighting(101, 9))))
    with other.transaction() as connection:
        values = {"id": 77, "key": 102, "url": "http://a/102", "host": "a:80", "layer": 1, "page": 1, "kind": PAGE}
        place = {"parent": 5, "position": 0, "chain": 77, "rank": 77, "priority": 0, "state": 0, "text": "", "run": 1}
        connection.execute(insert(node).values(**values, **place))
        thread.start()
        thread.join(0.5)
        assert told == [], "its insert waits for ours"
    thread.join(10)
    (turned,) = told
    assert turned.known == {"http://a/101": (3, 9), "http://a/102": (77, 5), "http://a/103": (1, 9)}
    assert (turned.new, turned.repeats) == (2, 1)
    store.close()
    other.close()
