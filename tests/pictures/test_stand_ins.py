from __future__ import annotations

from itertools import permutations

import pytest

from picspider.pictures.stand_ins import (
    COMMON_SIZE_FROM,
    ENOUGH_OF_COMMON_SIZE,
    ENOUGH_OF_ODD_SIZE,
    Shown,
    StandIns,
)
from picspider.records import Facts

SHA = "ab" * 32
FACTS = Facts("JPEG", 640, 480, ".jpg", 4000)
OTHER_SIZE = Facts("JPEG", 600, 480, ".jpg", 4000)


def shown(row: int) -> Shown:
    """A picture of its own name, on its own page, with its own words."""
    return Shown(row, f"http://a/{row}.jpg", row + 100, f"picture {row}")


def judged(pictures: int, others: int, *, others_first: bool) -> set[str]:
    """What is known in the end of a content that came for *pictures*, with *others* stored that have its size."""
    stand_ins = StandIns("parent")
    for _ in range(others * others_first):
        stand_ins.stored(FACTS)
    stand_ins.stored(FACTS)
    for row in range(1, pictures):
        stand_ins.came_again(SHA, FACTS, [shown(row), shown(0)])
    for _ in range(others * (not others_first)):
        stand_ins.stored(FACTS)
    stand_ins.stored(OTHER_SIZE)
    early = set(stand_ins.known)
    rows = stand_ins.cleared()
    assert rows == (set(range(pictures)) if early - stand_ins.known else set())
    assert stand_ins.cleared() == set(), "told once"
    return stand_ins.known


@pytest.mark.parametrize("others_first", [True, False])
@pytest.mark.parametrize(
    ("pictures", "others", "is_one"),
    [
        (ENOUGH_OF_ODD_SIZE - 1, 0, False),
        (ENOUGH_OF_ODD_SIZE, 0, True),
        (ENOUGH_OF_ODD_SIZE, COMMON_SIZE_FROM - 1, True),
        (ENOUGH_OF_ODD_SIZE, COMMON_SIZE_FROM, False),
        (ENOUGH_OF_COMMON_SIZE - 1, COMMON_SIZE_FROM, False),
        (ENOUGH_OF_COMMON_SIZE, COMMON_SIZE_FROM, True),
    ],
)
def test_same_verdict_in_any_order(pictures: int, others: int, *, is_one: bool, others_first: bool) -> None:
    """A size that others have asks for more pictures, whether they came before or after."""
    assert (judged(pictures, others, others_first=others_first) == {SHA}) is is_one


def test_what_is_no_stand_in() -> None:
    """One address or name, one page, or the same words everywhere."""
    for alike in ({"url": "http://a/x.jpg"}, {"parent": 1}, {"text": "Logo"}):
        stand_ins = StandIns("parent")
        stand_ins.stored(FACTS)
        assert not any(stand_ins.came_again(SHA, FACTS, [shown(row)._replace(**alike)]) for row in range(20))
    without_words = StandIns("parent")
    assert any(without_words.came_again(SHA, FACTS, [shown(row)._replace(text="")]) for row in range(3))


def test_one_picture_tries_each_referer() -> None:
    """One of a host at a time; what brings the picture is what the others are asked with."""
    for configured, *others in permutations(("parent", "origin", "none")):
        stand_ins = StandIns(configured)
        tried = [stand_ins.next_referer("a", 1, None) for _ in range(3)]
        assert (sorted(str(each) for each in tried[:2]), tried[2]) == (sorted(others), None)
        assert stand_ins.next_referer("a", 2, None) is None, "hopeless"
        assert stand_ins.next_referer("b", 2, None)
        assert [stand_ins.succeeded("b", row, "origin") for row in (3, 2, 2)] == [False, True, False]
        assert stand_ins.next_referer("b", 9, None) == "origin"
        assert stand_ins.next_referer("b", 9, "origin") is None
