from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert

from picspider.frontier.run.beginning import begin
from picspider.frontier.store.store import Store
from picspider.frontier.turn.batch import Batch, Want
from picspider.frontier.turn.claims import Claims, remove_leftovers
from picspider.frontier.turn.lookups import Lookups
from picspider.frontier.turn.shared_claims import SharedClaims
from picspider.frontier.turn.turn import turn
from picspider.output_folder import OutputFolder
from picspider.records import Answer, Facts, Lost, Sighting, Stored
from picspider.schema import claim

SHA = "ab" * 32
FACTS = Facts("JPEG", 10, 10, ".jpg", 100)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store with three pictures that are being fetched, rows 1 to 3."""
    store = Store(OutputFolder(tmp_path).store_url)
    begin(store, None, "{}")
    sightings = [Sighting(f"http://a/{n}.jpg", n, "a:80", 1, 1, "picture", 0, n, 0, "", 0, 0) for n in (101, 102, 103)]
    rows = turn(store, Batch(sightings=sightings), Want(3)).rows
    assert [row.id for row in rows] == [1, 2, 3]
    yield store
    store.close()


def name(claims: Claims, key: int, row: int) -> bool:
    """Claim a name."""
    return asyncio.run(claims.name(key, row))


def content(claims: Claims, row: int) -> int | None:
    """Claim the content SHA."""
    return asyncio.run(claims.content(SHA, row))


def test_first_come_first_served(store: Store) -> None:
    """A name and a content belong to the row that claims them first, until it gives them back."""
    claims = Lookups(store).claims
    assert name(claims, 7, 1)
    assert name(claims, 7, 1), "one's own claim holds"
    assert not name(claims, 7, 2)
    assert content(claims, 1) is None
    assert content(claims, 2) == 1
    claims.release(1, 7, SHA)
    assert name(claims, 7, 2)
    assert content(claims, 2) is None


def test_table_answers_once_the_picture_is_written(store: Store) -> None:
    """After the turn the claim goes, and the table of pictures says the same."""
    claims = Lookups(store).claims
    assert name(claims, 7, 1)
    assert content(claims, 1) is None
    turn(store, Batch(outcomes={1: Stored(Answer(200), "x.jpg", 7, SHA, FACTS)}), Want(0))
    claims.written({1})
    assert not name(claims, 7, 2)
    assert content(claims, 2) == 1
    assert content(claims, 1) is None


def test_journal_is_shortened(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A journal that has grown is written anew, with what is claimed still; written rows leave the others theirs."""
    assert store.file is not None
    claims = Lookups(store).claims
    assert [name(claims, 7, 1), name(claims, 8, 2)] == [True, True]
    claims.written({3})
    journal = store.file.with_name("crawl.db-claims")
    assert journal.read_text() == "n7 1\nn8 2\n", "a short one is left alone"
    monkeypatch.setattr("picspider.frontier.turn.claims.JOURNAL_LIMIT_BYTES", 8)
    claims.written({1})
    assert journal.read_text() == "n8 2\n"
    assert not name(claims, 8, 3)


def test_claims_outlive_a_killed_run(store: Store) -> None:
    """What an unfinished row had claimed when the process was killed is still its own; a finished row's is free."""
    killed = Lookups(store).claims
    assert name(killed, 7, 1)
    assert content(killed, 1) is None
    assert name(killed, 8, 3)
    turn(store, Batch(outcomes={3: Lost(Answer(404), "http", "gone")}), Want(0))
    claims = Lookups(store).claims
    assert not name(claims, 7, 2)
    assert content(claims, 2) == 1
    assert name(claims, 8, 2)


def test_files_that_a_killed_run_left(store: Store, tmp_path: Path) -> None:
    """With its side-car one that no row speaks of is removed, with folders that are empty then; others stay."""
    claims, pictures = Lookups(store).claims, tmp_path / "pictures"
    for row, file in ((1, "a/b/é 1.jpg"), (2, "a/2.jpg"), (3, "c/never-written.jpg")):
        assert asyncio.run(claims.name(row, row, file))
    assert content(claims, 3) is None
    turn(store, Batch(outcomes={2: Stored(Answer(200), "a/2.jpg", 2, SHA, FACTS)}), Want(0))
    sidecar = tmp_path / "sidecars/a/b/é 1.jpg.json"
    for path in (pictures / "a/b/é 1.jpg", pictures / "a/2.jpg", pictures / "mine.jpg", sidecar):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    with (tmp_path / "crawl.db-claims").open("a") as journal:
        journal.write('n9 1 "mine')  # killed while it was written
    with store.transaction() as connection:
        remove_leftovers(store, connection, pictures)
        remove_leftovers(store, connection, pictures)
    assert sorted(str(path.relative_to(pictures)) for path in pictures.rglob("*")) == ["a", "a/2.jpg", "mine.jpg"]
    assert not sidecar.exists()
    assert not name(Lookups(store).claims, 1, 2), "the row has its name still"


def test_clean_end_leaves_no_journal(store: Store) -> None:
    """The journal is a file beside the store while a run goes on, and gone after it."""
    assert store.file is not None
    journal = store.file.with_name("crawl.db-claims")
    lookups = Lookups(store)
    assert name(lookups.claims, 7, 1)
    assert journal.read_text() == "n7 1\n"
    lookups.close()
    assert not journal.exists()


def test_shared_claims_are_decided_by_the_database(database: str) -> None:
    """Of two workers that claim one name or content, the database lets exactly one have it."""
    stores = [Store(database), Store(database)]
    lookups = [Lookups(store) for store in stores]
    claims = [one.claims for one in lookups]
    assert all(isinstance(one, SharedClaims) for one in claims)
    assert name(claims[0], 7, 1)
    assert not name(claims[1], 7, 2)
    assert content(claims[1], 2) is None
    assert content(claims[0], 1) == 2
    claims[1].release(2, None, SHA)
    assert content(claims[0], 1) is None
    with stores[0].transaction() as connection:
        assert {row.node for row in connection.execute(claim.select())} == {1}
        connection.execute(insert(claim).values(what="n9", node=5))
    assert not name(claims[0], 9, 1)
    for one, store in zip(lookups, stores, strict=True):
        one.close()
        store.close()
