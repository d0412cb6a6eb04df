from __future__ import annotations

from picspider.feeds import repeats
from picspider.feeds.view import View
from tests.audit.rows import BASE, site


def test_path_of_the_original() -> None:
    """An entry that a next page links again has a path of one step, a next page one through the head of its run."""
    rows = site()
    second = rows.add("/page/2", 0, 1, page=2, chain=1)
    third = rows.add("/page/3", 0, second, page=3, chain=1)
    for first in (1, second):
        rows.again(first, third)
    rows.repeats[0]["page"], rows.repeats[1]["page"] = 4, 1
    with rows.stored() as connection:
        entry, page = (record.original for record in repeats.records(View.of(connection)))
    assert (entry["parent"], entry["path"]) == (None, [f"{BASE}/"])
    assert page["path"] == [f"{BASE}/", f"{BASE}/page/2"]
