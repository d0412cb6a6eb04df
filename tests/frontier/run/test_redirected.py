"""Pages that redirect to one and the same: under which address, and where, it is told."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import pytest
from sqlalchemy import insert, select

from picspider.frontier.run.beginning import begin
from picspider.frontier.run.canonical import settle_originals
from picspider.frontier.store.store import Store
from picspider.frontier.turn.batch import Batch, Want
from picspider.frontier.turn.turn import turn
from picspider.records import Answer, Outcome, PageRead, Repeated, Sighting
from picspider.schema import alias, kept_page, node, repeat
from picspider.urls import fingerprint
from picspider.visit import Kind

ENTRY, LIST, ONE, TWO, THREE = range(1, 6)
REAL = Answer(200, "http://a/real")


def seen(name: str, parent: int, position: int, layer: int = 1, page: int = 1) -> Sighting:
    """A link to a page, or in layer 2 to a picture."""
    kind: Kind = "picture" if layer == 2 else "page"
    chain = ENTRY if page > 1 else 0
    return Sighting(
        f"http://a/{name}", fingerprint(name), "a:80", layer, page, kind, parent, position, chain, f"see {name}", 0, 0
    )


def made() -> Store:
    """An entry page with the album `one`, and its next page with `two` and `three`."""
    store = Store("sqlite://")
    begin(store, None, "{}")
    turn(store, Batch([seen("", 0, 0, 0), seen("list", ENTRY, 9, 0, 2)]), Want(9))
    turn(store, Batch([seen("one", ENTRY, 0), seen("two", LIST, 0), seen("three", LIST, 1)]), Want(9))
    read = PageRead(Answer(200), 2, 0)
    turn(store, Batch([seen("two", ENTRY, 5)._replace(again=True)], outcomes={ENTRY: read, LIST: read}), Want(0))
    return store


@pytest.fixture
def store() -> Iterator[Store]:
    """What `made` says."""
    store = made()
    yield store
    store.close()


def found(store: Store) -> tuple[object, ...]:
    """What a user is told: nodes with the URL of their parent, and repeats with that of their original."""
    connection = store.connection
    above, original, later = node.alias("above"), node.alias("original"), node.alias("later")
    place = (node.c.url, above.c.url, node.c.position, node.c.text, node.c.reason, node.c.final_url, node.c.layer)
    nodes = select(*place).outerjoin(above, above.c.id == node.c.parent).order_by(node.c.url)
    told = (repeat.c.url, original.c.url, above.c.url, repeat.c.position, repeat.c.again, later.c.url)
    repeats = (
        select(*told)
        .join_from(repeat, original, original.c.id == repeat.c.node)
        .join(above, above.c.id == repeat.c.parent)
        .outerjoin(later, later.c.id == repeat.c.later)
        .order_by(repeat.c.url, repeat.c.again)
    )
    return tuple(connection.execute(nodes).all()), tuple(connection.execute(repeats).all())


def answers(store: Store, order: tuple[int, ...]) -> None:
    """The albums answer in this *order*; two pictures are found behind them."""
    first, *others = order
    pictures = [seen("x", first, 0, 2), seen("y", first, 1, 2)]
    outcomes: dict[int, Outcome] = {
        first: PageRead(REAL, 2, 0),
        **{row: Repeated(REAL, first, "url") for row in others},
    }
    turn(store, Batch(pictures, outcomes=outcomes, aliases={99: first}), Want(0))
    with store.transaction() as connection:
        changed = settle_originals(connection)
        assert changed == ({first} if first != ONE else set())
        assert settle_originals(connection) == set(), "settled for good"


@pytest.mark.parametrize("order", list(permutations((ONE, TWO, THREE))))
def test_first_in_reading_order(order: tuple[int, ...]) -> None:
    """Whichever answers first: the album of the entry has the pictures, the others are its repeats."""
    tables = []
    for each in (order, (ONE, TWO, THREE)):
        store = made()
        answers(store, each)
        tables.append(found(store))
        holder = store.connection.scalar(select(alias.c.node))
        assert store.connection.scalar(select(node.c.url).where(node.c.id == holder)) == "http://a/one"
        store.close()
    assert tables[0] == tables[1]


def test_what_stays(store: Store) -> None:
    """A page whose file was kept is named by its URL; one that failed has nothing to be told elsewhere."""
    turn(store, Batch(outcomes={TWO: PageRead(REAL, 2, 0), ONE: Repeated(REAL, TWO, "url")}), Want(0))
    columns = {"file": "", "text_file": "", "title": "", "content_type": "", "bytes": 0, "date": 0}
    with store.transaction() as connection:
        connection.execute(insert(kept_page).values(node=TWO, title_cosine=0, body_cosine=0, **columns))
        assert settle_originals(connection) == set()
        connection.execute(kept_page.delete())
        connection.execute(node.update().where(node.c.id == TWO).values(state=3, reason="http"))
        assert settle_originals(connection) == set()


def test_entries_that_redirect(store: Store) -> None:
    """They come in the order of the config."""
    turn(store, Batch([seen("other", 0, 1, 0), seen("another", 0, 2, 0)]), Want(0))
    other, another = 6, 7
    outcomes: dict[int, Outcome] = {another: PageRead(REAL, 2, 0), other: Repeated(REAL, another, "url")}
    turn(store, Batch(outcomes=outcomes), Want(0))
    with store.transaction() as connection:
        settle_originals(connection)
        urls = select(node.c.url, node.c.reason).where(node.c.id >= other).order_by(node.c.id)
        assert connection.execute(urls).all() == [("http://a/another", "repeat"), ("http://a/other", None)]
