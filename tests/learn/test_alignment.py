"""The thesis' alignment, against examples worked by hand."""

import re

from picspider.learn.alignment import align, learn_alignment, merge


def aligned(upper: str, lower: str) -> tuple[int, str, str]:
    """The score, and both strings with a dash for each gap."""
    score, pairs = align(merge([upper]), lower)
    top = "".join("-" if i is None else upper[i] for i, _ in pairs)
    return score, top, "".join("-" if j is None else lower[j] for _, j in pairs)


def test_a_gap_is_opened_where_it_pays() -> None:
    """`a1.jpg` and `a12.jpg`: six equal characters score 12, one gap takes 1; any other alignment scores less."""
    assert aligned("a1.jpg", "a12.jpg") == (11, "a1-.jpg", "a12.jpg")


def test_unequal_characters_cost_less_than_two_gaps() -> None:
    """`cat` and `cut`: 2 + 1 + 2 on the diagonal; two gaps instead of the unequal pair would make 2."""
    assert aligned("cat", "cut") == (5, "cat", "cut")


def test_the_whole_table_by_hand() -> None:
    """`ab` and `b`.

    Rows "", a, b and columns "", b of the table are [0, -1], [-1, 1], [-2, 1]; the last cell is the
    larger of diagonal -1 + 2 = 1, up 1 - 1 = 0 and left -2 - 1 = -3, so the gap stands under the a.
    """
    assert aligned("ab", "b") == (1, "ab", "-b")


def test_merging_remembers_all_samples() -> None:
    """A column of the merged samples holds each character seen there, and knows whether one lacked it.

    The trace goes back from the end and takes the diagonal first, so the gap falls before the last digit.
    """
    sites = merge(["p1", "p2", "p33"])
    assert [sorted(site.characters) for site in sites] == [["p"], ["3"], ["1", "2", "3"]]
    assert [site.gap for site in sites] == [False, True, False]


def test_numbers_become_digits() -> None:
    """Samples that differ in a number only give the digits' class between the equal parts."""
    samples = ["https://s.example/p/7.jpg", "https://s.example/p/12.jpg", "https://s.example/p/133.jpg"]
    assert learn_alignment(samples, (), ()).regex == r"^https://s\.example/p/\d+\.jpg$"


def test_runs_that_could_share_text_become_one() -> None:
    """Two wide runs around a few equal characters would backtrack; they are joined."""
    samples = ["https://s.example/o.e-a-r.d.jpg", "https://s.example/x9-a-b_c.jpg", "https://s.example/q-a-u.jpg"]
    regex = learn_alignment(samples, (), ()).regex
    assert regex.count("+") + regex.count("*") == 1
    assert all(re.fullmatch(regex, sample) for sample in samples)


def test_no_samples_match_nothing() -> None:
    """Without samples the expression matches nothing."""
    assert re.search(learn_alignment((), (), ()).regex, "") is None
