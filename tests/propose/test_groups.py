from __future__ import annotations

from picspider.propose.groups import Sheet, furniture, groups_of, likeness, promise, shows_pictures
from tests.propose.memory_site import BASE, page

LIST = "<ul>" + "".join(f'<li><a href="/album/{name}/"><img src="/t/{name}.jpg"></a>' for name in "abc") + "</ul>"
MENU = '<nav><a href="/about/us/">About</a><a href="/album/a/">Album</a></nav>'


def test_place_parts_groups() -> None:
    """Links of one form in the menu and in the list are two groups; the list promises more."""
    sheets = [Sheet.of(page(MENU + LIST))]
    menu, albums = (group for group in groups_of(sheets) if group.key.role == "page")
    assert [len(group.urls) for group in (menu, albums)] == [2, 3]
    assert shows_pictures(albums, sheets) == 1
    assert promise(albums, sheets) > 10 * promise(menu, sheets)


def test_sections_with_an_id_are_one_list() -> None:
    """An id on each section does not part what is one list; an id that says related does."""
    parts = "".join(f'<div id="{name}"><a href="/x/{name}.html">x</a></div>' for name in ("land", "sea", "related"))
    groups = groups_of([Sheet.of(page(parts))])
    assert [group.urls for group in groups] == [
        [f"{BASE}/x/land.html", f"{BASE}/x/sea.html"],
        [f"{BASE}/x/related.html"],
    ]


def test_directories_of_sizes_part_pictures() -> None:
    """A directory that comes again on other pages parts pictures, one that changes with the page does not."""
    sheets = [
        Sheet.of(page(f'<img src="/w320/{n}/x.jpg"><img src="/w900/{n}/x.jpg">', f"{BASE}/{n}.html"))
        for n in ("rome", "oslo")
    ]
    groups = groups_of(sheets)
    assert [group.urls for group in groups] == [
        [f"{BASE}/{size}/{place}/x.jpg" for place in ("rome", "oslo")] for size in ("w320", "w900")
    ]


def test_endings_of_sizes_part_pictures() -> None:
    """Names that end in _t or _full are two groups when many do."""
    images = "".join(f'<img src="/i/{n}_t.jpg"><img src="/i/{n}_full.jpg">' for n in range(4))
    assert [len(group.urls) for group in groups_of([Sheet.of(page(images))])] == [4, 4]


def test_furniture_and_likeness() -> None:
    """What stands on all pages is furniture; pages of one build are alike, whatever they link."""
    one, two = (Sheet.of(page(MENU + f'<p><a href="/{n}.html">{n}</a></p>', f"{BASE}/{n}/")) for n in "ab")
    assert furniture([one, two]) == {f"{BASE}/about/us/", f"{BASE}/album/a/"}
    assert furniture([one]) == set()
    assert likeness(one, two) == 1
    assert likeness(one, Sheet.of(page("<div><img src=x.png></div>"))) == 0
