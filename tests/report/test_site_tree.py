from __future__ import annotations

from pathlib import Path

from picspider.commands.opening import opened
from picspider.fates import Fate
from picspider.report.site_tree import SiteTree
from picspider.schema import State
from tests.report.made_store import MadeStore


def made_site() -> MadeStore:
    """Entry with a next page; an album on each; a picture, and a failure on the second."""
    made = MadeStore()
    entry = made.row("https://a.example/", "", 0, 0)
    later = made.row("https://a.example/2", "", 0, entry, page=2, chain=entry)
    one = made.row("https://a.example/one", "One", 1, entry)
    two = made.row("https://a.example/two", "Two", 1, later)
    made.stored("https://a.example/1.jpg", "", one, "1.jpg")
    made.failure("https://a.example/2.jpg", "", two, "http", "404", status=404)
    return made


def test_walk_is_the_tree_in_reading_order(tmp_path: Path) -> None:
    """Children follow their parent, next pages lie under the first of their run."""
    with opened(made_site().write(tmp_path / "out")) as view:
        tree = SiteTree.read(view.connection)
    assert list(tree.walk()) == [(1, 0), (2, 1), (4, 2), (6, 3), (3, 1), (5, 2)]
    assert tree.below(1) == {Fate.page: 3, Fate.picture: 1, Fate.failure: 1}


def test_choice_keeps_the_pages_above(tmp_path: Path) -> None:
    """Chosen by state, the failure stays with the pages that lead to it; chosen by layer, all above it."""
    with opened(made_site().write(tmp_path / "out")) as view:
        failed = SiteTree.read(view.connection, state=State.error)
        shallow = SiteTree.read(view.connection, layer=0)
    assert [row for row, _ in failed.walk()] == [1, 2, 4, 6]
    assert [row for row, _ in shallow.walk()] == [1, 2]
    assert shallow.below(1)[Fate.failure] == 1


def test_circle_does_not_hang(tmp_path: Path) -> None:
    """Rows that name each other as parents (a damaged store) end as entries."""
    made = MadeStore()
    made.row("https://a.example/1", "", 0, 2)
    made.row("https://a.example/2", "", 0, 1)
    with opened(made.write(tmp_path / "out")) as view:
        assert list(SiteTree.read(view.connection).walk()) == [(1, 0), (2, 1)]
