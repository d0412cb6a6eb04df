from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, insert, select, update

from picspider.frontier.run.changes import Changes
from picspider.frontier.run.rejudge import (
    AWAITS_RULE,
    NOT_SEEN_YET,
    forget_unseen_repeats,
    look_again,
    rejudge,
    reopen,
)
from picspider.frontier.store.store import Store
from picspider.output_folder import OutputFolder
from picspider.schema import KindCode, State, node, picture, repeat, skip
from picspider.urls import IdentityRules, fingerprint, identity
from tests.report.made_store import LAST_LAYER, MadeStore

WAITING, DONE, ERROR = State.waiting.value, State.done.value, State.error.value
ENTRY, ALBUM, OTHER_ALBUM, PHOTO, NEXT, LOST, STORED, SKIPPED, SAME = range(1, 10)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A crawl that is done: two albums, of which one has a photo page, a second page and a failure."""
    made = MadeStore()
    made.row("http://a/", "", 0, 0)
    made.row("http://a/album/1/", "", 1, ENTRY)
    made.row("http://a/album/2/", "", 1, ENTRY)
    made.row("http://a/photo/1", "", 2, ALBUM)
    made.row("http://a/photo/1?p=2", "", 2, PHOTO, page=2, state=ERROR, reason="http")
    made.row("http://a/photo/2", "", 2, ALBUM, state=ERROR, reason="http", status=404, message="gone")
    made.stored("http://a/1.jpg", "", PHOTO, "1.jpg")
    made.skipped("http://a/2.jpg", "", PHOTO)
    made.row("http://a/3.jpg", "", LAST_LAYER, PHOTO, reason="repeat")
    store = Store(OutputFolder(made.write(tmp_path)).store_url)
    place = {"url": "", "parent": ALBUM, "layer": 2, "position": 0, "sha256": None}
    with store.transaction() as connection:
        repeats: list[dict[str, Any]] = [
            {"node": STORED, "by": "content", "later": SAME, **place},
            {"node": LOST, "by": "url", "later": 0, **place},
            {"node": PHOTO, "by": "url", "later": 0, **place, "parent": OTHER_ALBUM},
        ]
        connection.execute(insert(repeat), repeats)
        connection.execute(update(node).values(worker="w", content=7))
    yield store
    store.close()


def waiting(store: Store) -> list[int]:
    """The rows that wait."""
    return list(store.connection.scalars(select(node.c.id).where(node.c.state == WAITING).order_by(node.c.id)))


def repeats(store: Store) -> list[tuple[int, int]]:
    """(row, again) of all repeats."""
    rows = store.connection.execute(select(repeat.c.node, repeat.c.again).order_by(repeat.c.id))
    return [(row.node, row.again) for row in rows]


def test_repeats_that_were_not_seen(store: Store) -> None:
    """They go once their page has been read, which a killed run may have done; of a page that failed they stay."""
    with store.transaction() as connection:
        look_again(connection, node.c.id.in_((ALBUM, OTHER_ALBUM)))
        connection.execute(update(node).where(node.c.id == OTHER_ALBUM).values(state=ERROR))
        forget_unseen_repeats(connection)
        assert repeats(store) == [(STORED, 0), (LOST, NOT_SEEN_YET), (PHOTO, NOT_SEEN_YET)]
        connection.execute(update(node).where(node.c.id == ALBUM).values(state=DONE))
        seen = {"node": LOST, "url": "", "parent": ALBUM, "layer": 2, "position": 0, "by": "url", "later": 0}
        connection.execute(insert(repeat).values(seen))
        look_again(connection, node.c.id == ALBUM)
        assert repeats(store) == [(STORED, 0), (PHOTO, NOT_SEEN_YET), (LOST, NOT_SEEN_YET)]


def test_reopened_rows_are_as_new(store: Store) -> None:
    """Nothing is left of their end: no file, no skip, no repeat by content, no reason."""
    with store.transaction() as connection:
        assert reopen(connection, node.c.id.in_((ALBUM, LOST, STORED, SKIPPED, SAME))) == 5
        assert [connection.scalar(select(each).limit(1)) for each in (picture.c.node, skip.c.node)] == [None, None]
        assert connection.scalars(select(repeat.c.node).order_by(repeat.c.id)).all() == [LOST, PHOTO]
        columns = (node.c.reason, node.c.message, node.c.status, node.c.worker)
        rows = connection.execute(select(*columns).where(node.c.state == WAITING))
        assert set(rows) == {(None,) * 4}
    assert waiting(store) == [ALBUM, LOST, STORED, SKIPPED, SAME]


def test_same_as_what_is_reopened(store: Store) -> None:
    """A picture with the content of one that is fetched again is fetched as well; what is the same as a page is not."""
    with store.transaction() as connection:
        place = {"url": "", "parent": ALBUM, "layer": 2, "position": 0, "sha256": None}
        connection.execute(insert(repeat).values(node=PHOTO, by="content", later=NEXT, **place))
        assert reopen(connection, node.c.id.in_((STORED, PHOTO))) == 3
        assert connection.scalars(select(repeat.c.later).order_by(repeat.c.id)).all() == [0, 0, NEXT]
    assert waiting(store) == [PHOTO, STORED, SAME]


def test_pages_that_are_read_again(store: Store) -> None:
    """They wait; what they linked awaits its new place, and so do links told as repeats."""
    with store.transaction() as connection:
        connection.execute(update(node).where(node.c.id == LOST).values(run=-2))
        which = node.c.id.in_((ALBUM, STORED))
        assert look_again(connection, which) == 1
        runs = {row.id: row.run for row in connection.execute(select(node))}
        assert runs == {**dict.fromkeys(range(1, 10), 1), PHOTO: 0, LOST: -2}
        assert repeats(store) == [(STORED, 0), (LOST, NOT_SEEN_YET), (PHOTO, 0)]
    assert waiting(store) == [ALBUM]


def test_changed_rule_of_a_layer(store: Store) -> None:
    """Its pages are read again, and failures below that lead nowhere await the rule: no next page, no entry."""
    with store.transaction() as connection:
        connection.execute(update(node).where(node.c.id == OTHER_ALBUM).values(state=ERROR))
        rejudge(connection, Changes(layers=(1,)), (), None)
        assert connection.scalars(select(node.c.id).where(node.c.run == AWAITS_RULE)).all() == [LOST]
        assert connection.scalar(select(func.count()).select_from(node)) == 9
    assert waiting(store) == [ALBUM]


def test_links_that_wait_for_a_changed_rule(store: Store) -> None:
    """They are removed, with their repeats, if the rule finds them again; below a page that failed they stay."""
    with store.transaction() as connection:
        connection.execute(update(node).where(node.c.id.in_((LOST, SKIPPED))).values(state=WAITING, parent=ALBUM))
        connection.execute(update(node).where(node.c.id == SKIPPED).values(layer=2, parent=OTHER_ALBUM))
        connection.execute(update(node).where(node.c.id == OTHER_ALBUM).values(state=ERROR))
        content = {"url": "", "parent": 9, "layer": 2, "position": 0, "by": "content", "later": LOST}
        connection.execute(insert(repeat).values(node=PHOTO, **content))
        rejudge(connection, Changes(layers=(1,)), (), None)
        assert LOST not in connection.scalars(select(node.c.id)).all()
        assert LOST not in connection.scalars(select(repeat.c.node)).all()
        assert LOST not in connection.scalars(select(repeat.c.later)).all()
    assert waiting(store) == [ALBUM, SKIPPED]


def test_entries_stay(store: Store) -> None:
    """An entry page that failed is no link of any rule; a failure that other rows hang on awaits none, either."""
    with store.transaction() as connection:
        connection.execute(update(node).where(node.c.id.in_((ENTRY, ALBUM, OTHER_ALBUM))).values(state=ERROR))
        rejudge(connection, Changes(layers=(0, -1)), (), None)
        assert connection.scalars(select(node.c.id).where(node.c.run == AWAITS_RULE)).all() == [OTHER_ALBUM]


def test_pages_that_gave_something_stay(store: Store) -> None:
    """A page that was read, and led nowhere, is no link that awaits the judgement of the new rule."""
    with store.transaction() as connection:
        rejudge(connection, Changes(layers=(0,)), (), None)
        assert connection.scalars(select(node.c.id).order_by(node.c.id)).all() == list(range(1, 10))
    assert waiting(store) == [ENTRY]


def test_changed_filters(store: Store) -> None:
    """Exactly what a filter had skipped is fetched again; a page that was off the topic is not."""
    with store.transaction() as connection:
        connection.execute(update(node).where(node.c.id == ALBUM).values(reason="off-topic"))
        connection.execute(update(node).where(node.c.id == LOST).values(reason="too-small"))
        rejudge(connection, Changes(filters=True), (), None)
    assert waiting(store) == [SKIPPED]


@pytest.mark.parametrize(("now", "fetched"), [("keep", [SAME]), ("link", [SAME]), ("once", [])])
def test_changed_same_content(store: Store, caplog: pytest.LogCaptureFixture, now: str, fetched: list[int]) -> None:
    """What was told as the same as another is fetched again if it is stored by now; it is told either way."""
    with store.transaction() as connection:
        rejudge(connection, Changes(same_content=now), (), None)
    assert waiting(store) == fetched
    assert "pictures.same_content has changed" in caplog.text


def test_changed_identity(store: Store) -> None:
    """Of rows that are the same now the oldest gets the key; only pages lose a last slash."""
    rules = IdentityRules(("p",), strip_trailing_slash=True)
    keys = [fingerprint(identity(url, rules)) for url in ("http://a/album/1", "http://a/photo/1")]
    slashed = fingerprint(identity("http://a/1.jpg/", IdentityRules((), strip_trailing_slash=False)))
    with store.transaction() as connection:
        connection.execute(update(node).where(node.c.id == STORED).values(url="http://a/1.jpg/"))
        assert connection.scalar(select(node.c.kind).where(node.c.id == STORED)) == KindCode.picture.value
        rejudge(connection, Changes(identity=rules), (), None)
        found = {row.id: row.key for row in connection.execute(select(node))}
        assert [found[ALBUM], found[PHOTO], found[NEXT], found[STORED]] == [*keys, NEXT, slashed]
        rejudge(connection, Changes(identity=rules), (), None)
        assert {row.id: row.key for row in connection.execute(select(node))} == found
    assert waiting(store) == [ENTRY, ALBUM, OTHER_ALBUM, PHOTO], "all pages may show more, or less, by these rules"
