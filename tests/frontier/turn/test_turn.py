"""The frontier's transactions, against a model that keeps everything in plain dicts."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from sqlalchemy import func, select

from picspider.fates import totals_of
from picspider.frontier.run.beginning import begin
from picspider.frontier.store.store import Store
from picspider.frontier.turn.batch import Batch, Want
from picspider.frontier.turn.outcomes import clear_rows
from picspider.frontier.turn.turn import turn
from picspider.output_folder import OutputFolder
from picspider.records import Answer, Facts, Lost, PageRead, Repeated, Sighting, Skipped, Stored
from picspider.schema import State, node, picture, repeat

FACTS = Facts("JPEG", 10, 10, ".jpg", 100)


def sighting(number: int, parent: int = 0, layer: int = 1, **facts: object) -> Sighting:
    """The sighting of URL *number* on the page *parent*."""
    kind = "picture" if layer > 1 else "page"
    first = Sighting(f"http://a/{number}", number, "a:80", layer, 1, kind, parent, number, 0, "", -layer, 0)  # type: ignore[arg-type]  # one of the two kinds
    return first._replace(**facts)  # type: ignore[arg-type]  # the caller knows the fields


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store."""
    store = Store(OutputFolder(tmp_path).store_url)
    begin(store, None, "{}")
    return store


def test_first_sighting_is_a_row_and_later_ones_are_repeats(store: Store) -> None:
    """A URL is one row; its link looked at again is nothing new; a link elsewhere, or a second one, is a repeat."""
    turned = turn(store, Batch(sightings=[sighting(1), sighting(2), sighting(1)]), Want(0))
    assert (turned.new, turned.repeats) == (2, 0)
    again = [sighting(5, parent=1), sighting(5, parent=1), sighting(5, parent=2), sighting(5, parent=1, again=True)]
    turned = turn(store, Batch(sightings=again), Want(0))
    assert (turned.new, turned.repeats) == (1, 2)
    assert turned.known["http://a/5"] == (3, 1)
    turned = turn(store, Batch(sightings=again), Want(0))
    with store.transaction() as connection:
        assert connection.scalar(select(func.count()).select_from(repeat)) == 2, "each pair once"


def test_rows_come_out_by_priority_rank_and_age(store: Store) -> None:
    """The largest priority first, then the smallest rank, then the oldest; the parent's URL is where redirects led."""
    batch = [sighting(1, priority=0), sighting(2, priority=5), sighting(3, priority=0, rank=1), sighting(4, priority=5)]
    rows = turn(store, Batch(sightings=batch), Want(2)).rows
    assert [row.url[-1] for row in rows] == ["2", "4"]
    rows = turn(store, Batch(), Want(9)).rows
    assert [row.url[-1] for row in rows] == ["1", "3"]
    moved = Batch(sightings=[sighting(9, parent=1)], outcomes={1: PageRead(Answer(200, "http://b/"), 1, 7)})
    (row,) = turn(store, moved, Want(1)).rows
    assert row.parent_url == "http://b/"


def test_hosts_and_kinds_that_are_not_wanted_stay(store: Store) -> None:
    """Rows of hosts to leave out, or of a kind that a limit forbids, are not taken."""
    batch = [sighting(1), sighting(2, host="b:80"), sighting(3, layer=2)]
    turn(store, Batch(sightings=batch), Want(0))
    assert [row.id for row in turn(store, Batch(), Want(9, not_hosts=("a:80",))).rows] == [2]
    assert [row.id for row in turn(store, Batch(), Want(9, pages=False)).rows] == [3]
    assert [row.id for row in turn(store, Batch(), Want(9, pictures=False)).rows] == [1]


def test_a_page_and_its_links_are_written_together(store: Store) -> None:
    """When a turn fails, neither the links nor the page's end is in the table."""
    turn(store, Batch(sightings=[sighting(1)]), Want(1))
    broken = Batch(sightings=[sighting(2, parent=1)], outcomes={1: PageRead(Answer(200), 1, object())})  # type: ignore[arg-type]  # what no database takes
    with pytest.raises((*store.errors, TypeError, ValueError)):
        turn(store, broken, Want(0))
    with store.transaction() as connection:
        assert connection.execute(select(node.c.id, node.c.state)).all() == [(1, State.running.value)]


def test_rows_given_back_wait_again(store: Store) -> None:
    """They come out once more; those that were kept do not."""
    turn(store, Batch(sightings=[sighting(1), sighting(2)]), Want(2))
    assert [row.id for row in turn(store, Batch(give_back=[2]), Want(9)).rows] == [2]


def test_repeats_that_the_cache_knew(store: Store) -> None:
    """Links to a row that is known without looking are written as its repeats, and counted."""
    turn(store, Batch(sightings=[sighting(1), sighting(2)]), Want(0))
    turned = turn(store, Batch(repeats=[(1, sighting(1, parent=2))]), Want(0))
    assert (turned.new, turned.repeats) == (0, 1)
    with store.transaction() as connection:
        assert connection.execute(select(repeat.c.node, repeat.c.parent)).all() == [(1, 2)]


def test_redirects_make_aliases(store: Store) -> None:
    """A URL that a redirect of a page led to is that page: a link to it is a repeat."""
    turn(store, Batch(sightings=[sighting(1), sighting(2)]), Want(2))
    turn(store, Batch(outcomes={1: PageRead(Answer(200, "http://a/99"), 1, 7)}, aliases={99: 1}), Want(0))
    turned = turn(store, Batch(sightings=[sighting(99, parent=2)]), Want(0))
    assert (turned.new, turned.repeats, turned.known["http://a/99"]) == (0, 1, (1, 0))


def test_end_replaces_what_hung_on_the_row(store: Store) -> None:
    """A row stored once and found to be a repeat later has no picture any more."""
    turn(store, Batch(sightings=[sighting(1, layer=2), sighting(2, layer=2)]), Want(2))
    turn(store, Batch(outcomes={n: Stored(Answer(200), f"{n}.jpg", n, "ab" * 32, FACTS) for n in (1, 2)}), Want(0))
    turn(store, Batch(outcomes={2: Repeated(Answer(200), 1, "content", "ab" * 32)}), Want(0))
    with store.transaction() as connection:
        assert connection.scalars(select(picture.c.node)).all() == [1]
        totals = totals_of(connection)
        clear_rows(connection, [2])
        assert totals_of(connection).repeats == 0, "it may end otherwise the next time"
    assert (totals.pictures, totals.repeats, totals.pages, totals.sightings) == (1, 1, 0, 2)


class Crawl(RuleBasedStateMachine):
    """Random sightings, turns, ends and kills; every URL is in the state that the model says."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.store = Store(OutputFolder(Path(self.folder.name)).store_url)
        self.states: dict[str, State] = {}
        self.held: dict[int, str] = {}

    @initialize()
    def first_run(self) -> None:
        """A new crawl."""
        assert begin(self.store, None, "{}") == "new"

    @rule(numbers=st.lists(st.integers(1, 30), max_size=8), parent=st.integers(0, 3))
    def sight(self, numbers: list[int], parent: int) -> None:
        """Links are found."""
        turn(self.store, Batch(sightings=[sighting(number, parent) for number in numbers]), Want(0))
        for number in numbers:
            self.states.setdefault(f"http://a/{number}", State.waiting)

    @rule(count=st.integers(1, 5))
    def take(self, count: int) -> None:
        """Rows are taken out."""
        rows = turn(self.store, Batch(), Want(count)).rows
        waiting = [url for url, state in self.states.items() if state is State.waiting]
        assert len(rows) == min(count, len(waiting))
        for row in rows:
            assert self.states[row.url] is State.waiting
            self.states[row.url] = State.running
            self.held[row.id] = row.url

    @rule(kind=st.sampled_from(["read", "lost", "skipped", "back"]))
    def end(self, kind: str) -> None:
        """All that is held comes to an end, or goes back."""
        outcomes = {
            "read": PageRead(Answer(200), 0, 0),
            "lost": Lost(Answer(), "timeout", "too slow"),
            "skipped": Skipped(Answer(), "too-small", "small"),
        }
        if kind == "back":
            turn(self.store, Batch(give_back=list(self.held)), Want(0))
        else:
            turn(self.store, Batch(outcomes=dict.fromkeys(self.held, outcomes[kind])), Want(0))  # type: ignore[arg-type]  # each is an outcome
        after = {"back": State.waiting, "lost": State.error}.get(kind, State.done)
        self.states.update(dict.fromkeys(self.held.values(), after))
        self.held.clear()

    @rule(retry=st.booleans())
    def kill_and_start_again(self, *, retry: bool) -> None:
        """The process is gone, its rows wait; a retry opens the failures, a refresh the pages and the failures."""
        self.store.close()
        self.store = Store(OutputFolder(Path(self.folder.name)).store_url)
        beginning = begin(self.store, "all" if retry else None, "{}")
        self.held.clear()
        for url, state in self.states.items():
            if state is State.running or (state is State.error and beginning in ("retry", "refresh")):
                self.states[url] = State.waiting
        if beginning == "refresh":
            self.states.update({url: State.waiting for url, state in self.states.items() if state is State.done})

    @invariant()
    def table_is_as_the_model_says(self) -> None:
        """Each URL is one row in its one state."""
        with self.store.transaction() as connection:
            rows = connection.execute(select(node.c.url, node.c.state)).all()
        assert {url: State(state) for url, state in rows} == self.states
        assert len(rows) == len(self.states)

    def teardown(self) -> None:
        """Close."""
        self.store.close()
        self.folder.cleanup()


TestCrawl = Crawl.TestCase
TestCrawl.settings = settings(max_examples=15, stateful_step_count=15, deadline=None)
