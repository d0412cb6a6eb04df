from __future__ import annotations

import pytest

from picspider.schema import State
from tests.audit.rows import BASE, WITH_PHOTO_PAGES, numbered, site

KIND = "number-gap"


def test_a_missing_number_is_named_with_its_place() -> None:
    """001 to 045 without 017 is a suspect that stands on the album's page."""
    rows = site()
    rows.album("coast", numbered(45, 17))
    rows.album("lakes", numbered(30))
    (suspect,) = rows.suspects(KIND)
    assert suspect.message == "the numbers 1 to 45 of {n}.jpg lack 017"
    assert suspect.place_url == f"{BASE}/album/coast/"
    assert suspect.path == (f"{BASE}/", f"{BASE}/album/coast/")


@pytest.mark.parametrize(
    "form", ["IMG_{:04}.jpg", "coast-2023-{:02}.png", "{:03}-5da4ae8d.webp", "view.php?id={}&size=full", "p{:04}"]
)
def test_numbers_are_found_where_people_write_them(form: str) -> None:
    """Words before, random texts behind, years before and parameters do not hide the number."""
    rows = site()
    rows.album("coast", numbered(30, 7, 8, form=form))
    (suspect,) = rows.suspects(KIND)
    assert "7, " in suspect.message


@pytest.mark.parametrize(
    "files",
    [
        numbered(45),
        numbered(9, 2, 3, 4),
        numbered(5, 3),
        [f"DSC_{number}.jpg" for number in range(5001, 5046) if number != 5017],
        [f"{number * number}.jpg" for number in range(1, 30)],
        [f"{number:x}.jpg" for number in range(1, 60)],
        ["cover.jpg", "map.png", *numbered(3)],
    ],
)
def test_no_alarm_for_what_is_no_dense_series(files: list[str]) -> None:
    """Whole, short, sparse and camera's series are none of the audit's business."""
    rows = site()
    rows.album("coast", files)
    assert rows.suspects(KIND) == []


def test_what_is_there_under_another_fate_is_not_missing() -> None:
    """A failure and a repeat are told elsewhere."""
    rows = site()
    first = rows.album("coast", numbered(45, 17))
    rows.add("/full/coast/017.jpg", 2, first, state=State.error.value, reason="http")
    lakes = rows.album("lakes", numbered(45, 17))
    other = rows.album("best", ["one.jpg"])
    rows.again(rows.add("/full/lakes/017.jpg", 2, other), lakes)
    assert rows.suspects(KIND) == []


def test_a_number_that_another_album_has_is_not_missing() -> None:
    """Where all albums share one series, the number may be another's."""
    rows = site()
    coast = rows.add("/album/coast/", 1, 1)
    lakes = rows.add("/album/lakes/", 1, 1)
    for number in range(1, 31):
        rows.add(f"/full/{number}.jpg", 2, lakes if number in (9, 17) else coast)
    assert rows.suspects(KIND) == []


def test_numbers_are_looked_for_by_the_configs_rules() -> None:
    """A picture that is stored under an address with a parameter that the config ignores is not missing."""
    rows = site(urls={"ignore_parameters": ["sid"]})
    coast = rows.add("/album/coast/", 1, 1)
    lakes = rows.add("/album/lakes/", 1, 1)
    for number in range(1, 31):
        rows.add(f"/view?n={number}&sid=7" if number != 17 else "/view?n=17&sid=9", 2, lakes if number == 17 else coast)
    assert rows.suspects(KIND) == []


def test_a_picture_whose_address_ends_in_a_slash() -> None:
    """Of pictures the last slash counts: the one with that number is found where it is."""
    rows = site()
    coast = rows.add("/album/coast/", 1, 1)
    lakes = rows.add("/album/lakes/", 1, 1)
    for number in range(1, 31):
        rows.add(f"/full/{number}/", 2, lakes if number == 17 else coast)
    assert rows.suspects(KIND) == []


def test_an_album_with_an_unread_page_is_left_alone() -> None:
    """The failed page may hold what is missing."""
    rows = site()
    coast = rows.album("coast", numbered(45, 17))
    rows.add("/album/coast/2", 1, coast, page=2, chain=coast, state=State.error.value, reason="timeout")
    assert rows.suspects(KIND) == []


def test_pictures_behind_pages_without_numbers() -> None:
    """Where photo pages have random names, the pictures' numbers are looked at; a lost photo page explains a gap."""
    rows = site(layers=WITH_PHOTO_PAGES)
    for album, lost in (("coast", False), ("lakes", True)):
        parent = rows.add(f"/album/{album}/", 1, 1)
        for number in range(1, 31):
            name = f"{album}{'abcdefghij'[number % 10]}{number * 7919:x}x"
            if number != 17:
                photo = rows.add(f"/photo/{name}", 2, parent)
                rows.add(f"/full/{album}/{number:03}.jpg", 3, photo)
            elif lost:
                rows.add(f"/photo/{name}", 2, parent, state=State.error.value, reason="http")
    (suspect,) = rows.suspects(KIND)
    assert suspect.place_url == f"{BASE}/album/coast/"
    assert suspect.message.endswith("lack 017")
