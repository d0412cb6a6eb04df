"""The outputs: each a view of the store. A new output is a file here and one line in `FEEDS`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from picspider.feeds import changes, failures, pages, pictures, repeats, skips, tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from picspider.feeds.view import View

FEEDS: dict[str, tuple[type, Callable[[View], Iterator[Any]]]] = {
    "tree": (tree.TreeRecord, tree.records),
    "pictures": (pictures.PictureRecord, pictures.records),
    "failures": (failures.FailureRecord, failures.records),
    "repeats": (repeats.RepeatRecord, repeats.records),
    "skips": (skips.SkipRecord, skips.records),
    "pages": (pages.PageRecord, pages.records),
}
# What is not written at the end of every run, but may be asked for.
ON_DEMAND: dict[str, tuple[type, Callable[[View], Iterator[Any]]]] = {
    "changes": (changes.ChangeRecord, changes.records),
}
# Pages are stored by the spider `focused` only.
OF_FOCUSED = frozenset({"pages"})
