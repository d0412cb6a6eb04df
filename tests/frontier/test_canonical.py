from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from picspider.frontier.batch import Batch, Want
from picspider.frontier.beginning import begin
from picspider.frontier.canonical import settle_originals
from picspider.frontier.store import Store, sqlite_url
from picspider.frontier.turn import turn
from picspider.records import Facts, PageRead, Repeated, Sighting, Stored
from picspider.schema import node, picture, repeat

FACTS = Facts("JPEG", 10, 10, ".jpg", 100)
SHA = "ab" * 32


def seen(number: int, parent: int, layer: int, position: int) -> Sighting:
    """URL *number*, linked at *position* on the page *parent*."""
    kind = "picture" if layer == 2 else "page"
    return Sighting(f"http://a/{number}", number, "a:80", layer, 1, kind, parent, position, 0, "", 0, 0)  # type: ignore[arg-type]  # one of the two kinds


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An entry page (row 1) with two albums (rows 2 and 3, in this order), all read."""
    store = Store(sqlite_url(tmp_path))
    begin(store, None, "{}")
    turn(store, Batch(sightings=[seen(1, 0, 0, 0)]), Want(1))
    albums = [seen(10, 1, 1, 0), seen(11, 1, 1, 1)]
    turn(store, Batch(sightings=albums, outcomes={1: PageRead(200, None, 2, 1)}), Want(2))
    turn(store, Batch(outcomes={row: PageRead(200, None, 1, row) for row in (2, 3)}), Want(0))
    return store


def test_earlier_link_becomes_the_original(store: Store) -> None:
    """A picture met first on the second album, as its answer came first, belongs to the first album in the end."""
    second, first = seen(20, 3, 2, 0)._replace(text="here"), seen(20, 2, 2, 5)._replace(text="there")
    turn(store, Batch(sightings=[second, first]), Want(0))
    with store.transaction() as connection:
        assert settle_originals(connection) == {4}
        place = select(node.c.parent, node.c.position, node.c.text).where(node.c.key == 20)
        assert connection.execute(place).one() == (2, 5, "there")
        assert connection.execute(select(repeat.c.parent, repeat.c.position, repeat.c.text)).one() == (3, 0, "here")
        assert settle_originals(connection) == set(), "settled for good"


def test_earlier_picture_of_the_same_bytes_holds_them(store: Store) -> None:
    """Of three pictures with the same bytes the earliest in reading order is the one that counts as stored."""
    pictures = [seen(20, 3, 2, 0), seen(21, 2, 2, 0), seen(22, 3, 2, 1)]
    turn(store, Batch(sightings=pictures), Want(3))
    again = {row: Repeated(4, "content", SHA, 200, None) for row in (5, 6)}
    turn(store, Batch(outcomes={4: Stored("x.jpg", 7, SHA, FACTS, 200, None), **again}), Want(0))
    with store.transaction() as connection:
        assert settle_originals(connection) == {5}
        assert connection.execute(select(picture.c.node, picture.c.file)).one() == (5, "x.jpg")
        pairs = connection.execute(select(repeat.c.node, repeat.c.later, repeat.c.url).order_by(repeat.c.later)).all()
        assert pairs == [(5, 4, "http://a/20"), (5, 6, "http://a/22")]
        reasons = connection.execute(select(node.c.id, node.c.reason).where(node.c.id > 3).order_by(node.c.id)).all()
        assert reasons == [(4, "repeat"), (5, None), (6, "repeat")]
        assert settle_originals(connection) == set()
