from __future__ import annotations

from sqlalchemy import select

from picspider.frontier.store.store import Store
from picspider.frontier.turn.batch import Batch, Want
from picspider.frontier.turn.outcomes import clear_rows, sha_key
from picspider.frontier.turn.turn import turn
from picspider.records import Answer, Facts, Lost, Outcome, PageRead, Repeated, Sighting, Skipped, Stored
from picspider.schema import alias, node, picture, repeat, skip

SHA = "8" + "0" * 15 + "f" * 48
FACTS = Facts("JPEG", 10, 20, ".jpg", 100)


def end(store: Store, outcomes: dict[int, Outcome], aliases: dict[int, int] | None = None) -> None:
    """End rows in a turn."""
    turn(store, Batch(outcomes=outcomes, aliases=aliases or {}), Want(0))


def test_row_that_ends_again(store: Store) -> None:
    """The last end of a row counts, its skip, its file and where its redirect led; each kind has its own columns."""
    sightings = [Sighting(f"http://a/{n}", n, "a:80", 2, 3, "picture", 9, 4, 0, "", 0, 0) for n in (101, 102, 103, 104)]
    assert [row.id for row in turn(store, Batch(sightings), Want(9)).rows] == [1, 2, 3, 4]
    end(
        store,
        {
            1: Stored(Answer(200, "http://b/"), "x.jpg", 7, SHA, FACTS),
            2: Skipped(Answer(200), "too-small", "small", 1, 2, 3),
        },
    )
    end(store, {3: PageRead(Answer(200, "http://a/99"), 5, 6), 4: Lost(Answer(404, None, 3), "http", "gone")}, {99: 3})
    with store.transaction() as connection:
        columns = (node.c.id, node.c.final_url, node.c.status, node.c.reason, node.c.message, node.c.attempts)
        query = select(*columns, node.c.links, node.c.content).order_by(node.c.id)
        assert connection.execute(query).all() == [
            (1, "http://b/", 200, None, None, 1, None, None), (2, None, 200, "too-small", "small", 1, None, None),
            (3, "http://a/99", 200, None, None, 1, 5, 6), (4, None, 404, "http", "gone", 3, None, None),
        ]  # fmt: skip
    end(store, {1: Stored(Answer(200), "y.jpg", 8, SHA, FACTS), 2: Skipped(Answer(200), "too-small", "small", 7, 8, 9)})
    end(store, {3: PageRead(Answer(200), 5, 6), 4: Repeated(Answer(200), 1, "content", SHA)}, {99: 4})
    with store.transaction() as connection:
        assert connection.execute(select(picture.c.node, picture.c.file, picture.c.file_key)).all() == [(1, "y.jpg", 8)]
        assert connection.execute(select(skip)).all() == [(2, 7, 8, 9, None)]
        assert connection.execute(select(alias)).all() == [(99, 4)]
        later = (repeat.c.node, repeat.c.later, repeat.c.url, repeat.c.parent, repeat.c.layer, repeat.c.page)
        assert connection.execute(select(*later, repeat.c.position, repeat.c.again, repeat.c.sha256)).all() == [
            (1, 4, "http://a/104", 9, 2, 3, 4, 0, SHA)
        ]


def test_sha_key() -> None:
    """The index has the first 64 bits, with their sign."""
    assert sha_key(SHA) == -(2**63)
    assert sha_key("0" * 15 + "1" + SHA[16:]) == 1


def test_rows_are_cleared(store: Store) -> None:
    """Its file, its skip, and its being the same as another go; what is the same as it stays."""
    sightings = [Sighting(f"http://a/{n}", n, "a:80", 2, 1, "picture", 9, 4, 0, "", 0, 0) for n in range(101, 105)]
    turn(store, Batch(sightings), Want(9))
    end(
        store,
        {
            1: Stored(Answer(200), "x.jpg", 7, SHA, FACTS),
            2: Skipped(Answer(), "too-small", "small"),
            3: Skipped(Answer(), "", ""),
        },
    )
    end(store, {4: Repeated(Answer(200), 1, "content", SHA)})
    with store.transaction() as connection:
        clear_rows(connection, iter([1, 2]))
        assert connection.scalars(select(picture.c.node)).all() == []
        assert connection.scalars(select(skip.c.node)).all() == [3]
        assert connection.scalars(select(repeat.c.later)).all() == [4]
        clear_rows(connection, [4])
        assert connection.scalars(select(repeat.c.later)).all() == []
