from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from picspider.frontier.run.beginning import begin
from picspider.frontier.run.canonical import settle_originals
from picspider.frontier.store.store import Store
from picspider.frontier.turn.batch import Batch, Want
from picspider.frontier.turn.turn import turn
from picspider.output_folder import OutputFolder
from picspider.records import Answer, Facts, PageRead, Repeated, Sighting, Stored
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
    store = Store(OutputFolder(tmp_path).store_url)
    begin(store, None, "{}")
    turn(store, Batch(sightings=[seen(1, 0, 0, 0)]), Want(1))
    albums = [seen(10, 1, 1, 0), seen(11, 1, 1, 1)]
    turn(store, Batch(sightings=albums, outcomes={1: PageRead(Answer(200), 2, 1)}), Want(2))
    turn(store, Batch(outcomes={row: PageRead(Answer(200), 1, row) for row in (2, 3)}), Want(0))
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
    again = {row: Repeated(Answer(200), 4, "content", SHA) for row in (5, 6)}
    turn(store, Batch(outcomes={4: Stored(Answer(200), "x.jpg", 7, SHA, FACTS), **again}), Want(0))
    with store.transaction() as connection:
        assert settle_originals(connection) == {5}
        assert connection.execute(select(picture.c.node, picture.c.file)).one() == (5, "x.jpg")
        pairs = connection.execute(select(repeat.c.node, repeat.c.later, repeat.c.url).order_by(repeat.c.later)).all()
        assert pairs == [(5, 4, "http://a/20"), (5, 6, "http://a/22")]
        ends = select(node.c.id, node.c.reason, node.c.message).where(node.c.id > 3).order_by(node.c.id)
        told = "the same as row 4, by content"
        assert connection.execute(ends).all() == [(4, "repeat", told), (5, None, None), (6, "repeat", told)]
        assert settle_originals(connection) == set()


def test_next_pages_are_read_in_their_order(store: Store) -> None:
    """What the third page of the entry's chain showed first, and then the entry and the second page, is the entry's."""
    pages = [seen(31, 3, 0, 9)._replace(page=3, chain=1), seen(30, 1, 0, 9)._replace(page=2, chain=1)]
    turn(store, Batch(sightings=pages), Want(0))
    third, second = 4, 5
    turn(store, Batch(sightings=[seen(20, third, 1, 0), seen(20, second, 1, 0), seen(20, 1, 1, 7)]), Want(0))
    turn(store, Batch(sightings=[seen(21, third, 1, 0), seen(21, second, 1, 5)]), Want(0))
    with store.transaction() as connection:
        assert settle_originals(connection) == {6, 7}
        found = select(node.c.parent, node.c.position).where(node.c.key.in_((20, 21))).order_by(node.c.key)
        assert connection.execute(found).all() == [(1, 7), (second, 5)]


def test_only_the_entry_repeats(store: Store) -> None:
    """A crawl whose repeats all stand on its first page is settled, too."""
    turn(store, Batch(sightings=[seen(30, 1, 0, 9)._replace(page=2, chain=1)]), Want(0))
    turn(store, Batch(sightings=[seen(20, 4, 1, 0), seen(20, 1, 1, 7)]), Want(0))
    with store.transaction() as connection:
        assert settle_originals(connection) == {5}


def test_entries_are_read_in_their_order(tmp_path: Path) -> None:
    """The first entry of the config comes first, whichever answered first."""
    store = Store(OutputFolder(tmp_path).store_url)
    begin(store, None, "{}")
    turn(store, Batch(sightings=[seen(2, 0, 0, 1), seen(1, 0, 0, 0)]), Want(0))
    turn(store, Batch(sightings=[seen(20, 1, 1, 0), seen(20, 2, 1, 3)]), Want(0))
    with store.transaction() as connection:
        assert settle_originals(connection) == {3}
        assert connection.execute(select(node.c.parent, node.c.position).where(node.c.id == 3)).one() == (2, 3)
    store.close()


def test_what_keeps_its_place(store: Store) -> None:
    """A second link of one page, a link of another layer or to a next page, and what comes later in reading order."""
    first = [seen(20, 3, 2, 3), seen(21, 3, 2, 3), seen(22, 2, 2, 3), seen(23, 3, 2, 3)]
    again = [
        seen(20, 3, 2, 1)._replace(again=True),
        seen(21, 2, 1, 0),
        seen(22, 3, 2, 0),
        seen(23, 2, 2, 0)._replace(page=2),
        seen(10, 2, 1, 0),
    ]
    turn(store, Batch(sightings=first), Want(0))
    turned = turn(store, Batch(sightings=again), Want(0))
    assert turned.repeats == len(again)
    turn(store, Batch(outcomes={3: Repeated(Answer(200), 2, "url")}), Want(0))
    with store.transaction() as connection:
        assert settle_originals(connection) == set()


def test_earliest_of_several_places(store: Store) -> None:
    """Of links that all come before the first sighting the first in reading order counts; the others stay repeats."""
    albums = [seen(12, 1, 1, 2)]
    turn(store, Batch(sightings=albums), Want(0))
    turn(store, Batch(sightings=[seen(20, 4, 2, 0), seen(20, 3, 2, 0), seen(20, 2, 2, 4)]), Want(0))
    with store.transaction() as connection:
        assert settle_originals(connection) == {5}
        assert connection.scalar(select(node.c.parent).where(node.c.id == 5)) == 2
        assert set(connection.scalars(select(repeat.c.parent))) == {3, 4}


def test_bytes_of_one_page(store: Store) -> None:
    """On one page the first by position holds them; pages with the same links have no bytes to hand over."""
    turn(store, Batch(sightings=[seen(20, 2, 2, 5), seen(21, 2, 2, 1), seen(22, 2, 2, 7)]), Want(3))
    again = {row: Repeated(Answer(200), 4, "content", SHA) for row in (5, 6)}
    pages = {2: Repeated(Answer(200), 3, "content")}
    turn(store, Batch(outcomes={4: Stored(Answer(200), "x.jpg", 7, SHA, FACTS), **again, **pages}), Want(0))
    with store.transaction() as connection:
        assert settle_originals(connection) == {5}
        query = select(repeat.c.node, repeat.c.later, repeat.c.position).order_by(repeat.c.later)
        assert connection.execute(query).all() == [(3, 2, 0), (5, 4, 5), (5, 6, 7)]
        assert connection.scalar(select(picture.c.node)) == 5
