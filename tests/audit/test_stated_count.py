from __future__ import annotations

from picspider.schema import State
from tests.audit.rows import BASE, numbered, site

KIND = "stated-count"


def test_fewer_than_the_page_or_the_link_says() -> None:
    """Both statements are held against what was found; an album that has all is no suspect."""
    rows = site()
    rows.album("coast", numbered(40), stated=45)
    rows.album("lakes", numbered(40), stated=40)
    rows.album("dunes", numbered(12), text="Dunes (20 photos)")
    assert [(suspect.place_url, suspect.message) for suspect in rows.suspects(KIND)] == [
        (f"{BASE}/album/coast/", "the page says 45, but 40 were found"),
        (f"{BASE}/album/dunes/", "the text of the link says 20, but 12 were found"),
    ]


def test_next_pages_and_repeats_count_too() -> None:
    """What stands on later pages, and what another album showed first, was found."""
    rows = site()
    coast = rows.album("coast", numbered(20), stated=32)
    second = rows.add("/album/coast/2", 1, coast, page=2, chain=coast)
    for file in numbered(11, form="b{:02}.jpg"):
        rows.add(f"/full/coast/{file}", 2, second)
    lakes = rows.album("lakes", numbered(20))
    rows.again(rows.add("/full/shared.jpg", 2, lakes), second)
    assert rows.suspects(KIND) == []


def test_no_alarm_when_a_page_was_lost_or_the_config_cuts() -> None:
    """A failed next page has been told, and a limit is the user's own wish."""
    rows = site()
    coast = rows.album("coast", numbered(20), stated=45)
    rows.add("/album/coast/2", 1, coast, page=2, chain=coast, state=State.error.value, reason="http")
    assert rows.suspects(KIND) == []
    cut = site(limits={"next_pages": 1})
    cut.album("coast", numbered(20), stated=45)
    assert cut.suspects(KIND) == []


def test_a_count_that_most_albums_state_is_furniture() -> None:
    """A count such as "900 photos by this user" on every page is nobody's own count."""
    rows = site()
    for number in range(5):
        rows.album(f"a{number}", numbered(10), stated=900)
    rows.album("other", numbered(10), stated=11)
    assert [suspect.place_url for suspect in rows.suspects(KIND)] == [f"{BASE}/album/other/"]


def test_albums_of_one_size_may_all_state_it() -> None:
    """A count that most albums keep is theirs, and the one that does not is a suspect."""
    rows = site()
    for number in range(5):
        rows.album(f"a{number}", numbered(12 if number else 11), stated=12)
    assert [suspect.place_url for suspect in rows.suspects(KIND)] == [f"{BASE}/album/a0/"]
