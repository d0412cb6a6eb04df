from __future__ import annotations

import re

from picspider.propose.repair import Old, repaired
from tests.propose.memory_site import BASE, page

NAV = '<nav><a href="/about/">About</a><a href="/tags/">Tags</a></nav>'


def test_same_addresses() -> None:
    """A rule that was spoilt is learned again from the addresses that it used to take."""
    now = page(NAV + "".join(f'<a href="/album/{n}/">{n}</a>' for n in range(6)))
    repair = repaired([now], [Old(f"{BASE}/album/{n}/", str(n)) for n in range(4)], "page")
    assert repair is not None
    assert re.search(repair.learned.regex, f"{BASE}/album/5/")
    assert not re.search(repair.learned.regex, f"{BASE}/about/")


def test_moved_links_with_the_same_text() -> None:
    """Links that have moved are recognised by what they read."""
    now = page(NAV + "".join(f'<a href="/gallery/{n}-x">Album {n}</a>' for n in range(6)))
    repair = repaired([now], [Old(f"{BASE}/album/{n}/", f"Album {n}") for n in range(4)], "page")
    assert repair is not None
    assert (repair.how, bool(re.search(repair.learned.regex, f"{BASE}/gallery/5-x"))) == (
        "links with the same text",
        True,
    )


def test_moved_files() -> None:
    """Pictures that have moved to another directory are recognised by their names."""
    now = page("".join(f'<img src="/cdn/v2/{n}00.jpg">' for n in range(6)) + '<img src="/logo.png">')
    repair = repaired([now], [Old(f"{BASE}/full/{n}00.jpg", "") for n in range(4)], "picture")
    assert repair is not None
    assert repair.learned.matched[0].startswith(f"{BASE}/cdn/")
    assert not re.search(repair.learned.regex, f"{BASE}/logo.png")


def test_nothing_alike() -> None:
    """A page without links of that role has no repair."""
    assert repaired([page("<p>closed</p>")], [Old(f"{BASE}/1.jpg", "")], "picture") is None
