"""The learner as a whole: what users hand in and get back."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from picspider.learn import METHODS, UnknownMethod, learn, learn_regex

SEGMENTS = st.text(alphabet="abcXYZ019-_.%~+", min_size=0, max_size=12)
URLS = st.builds(
    lambda scheme, host, segments, slash, query, fragment: (
        f"{scheme}://{host}" + "".join("/" + s for s in segments) + slash + query + fragment
    ),
    st.sampled_from(["http", "https"]),
    st.sampled_from(["a.example", "www.a.example", "img.a.example"]),
    st.lists(SEGMENTS, max_size=4),
    st.sampled_from(["", "/"]),
    st.sampled_from(["", "?", "?id=1", "?id=22", "?page=3&id=7", "?x", "?u=/a/b?c"]),
    st.sampled_from(["", "#", "#top", "#/p/1"]),
)
GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["name"])
def test_golden(case: dict[str, Any]) -> None:
    """The expression for well-understood examples is the one a person would write."""
    found = learn(case["positives"], case.get("negatives", []), case.get("unlabelled", []))
    assert found.regex == case["regex"]


@settings(max_examples=300, deadline=None)
@given(st.lists(URLS, min_size=1, max_size=6), st.lists(URLS, max_size=6))
def test_every_positive_is_matched(positives: list[str], negatives: list[str]) -> None:
    """Whatever the examples, the expression compiles and matches each, searched or matched in full."""
    rx = re.compile(learn_regex(positives, negatives))
    assert all(rx.fullmatch(url) and rx.search(url) for url in positives)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.text(max_size=30), min_size=1, max_size=5), st.sampled_from(sorted(METHODS)))
def test_any_text_is_taken(positives: list[str], method: str) -> None:
    """Examples that are no URLs at all are still matched."""
    found = learn(positives, method=method)
    assert set(found.matched) == set(positives)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(URLS, min_size=2, max_size=4), st.lists(URLS, max_size=6), st.text(alphabet="abc", min_size=1, max_size=4)
)
def test_a_layer_under_its_own_word_lets_no_other_in(tails: list[str], negatives: list[str], word: str) -> None:
    """When a word sets the layer apart, no negative is matched."""
    positives = ["https://z.example/layer-" + word + "/" + url.partition("//")[2] for url in tails]
    rx = re.compile(learn_regex(positives, negatives))
    assert not [url for url in negatives if rx.search(url)]


@settings(max_examples=200, deadline=None)
@given(st.lists(URLS, min_size=1, max_size=4), st.lists(URLS, max_size=4), st.lists(URLS, max_size=8))
def test_matched_and_rejected_are_what_the_expression_says(
    positives: list[str], negatives: list[str], unlabelled: list[str]
) -> None:
    """Each given URL is listed once, on the side on which the expression puts it; questions differ from both sides."""
    found = learn(positives, negatives, unlabelled)
    assert all(re.search(found.regex, url) for url in found.matched)
    assert not any(re.search(found.regex, url) for url in found.rejected)
    assert {*found.matched, *found.rejected} == {*positives, *negatives, *unlabelled}
    assert 0 <= found.confidence <= 1
    for question in found.questions:
        assert re.search(question.if_yes, question.url)
        assert not re.search(question.if_no, question.url)
        assert found.regex in {question.if_yes, question.if_no}
        assert all(re.search(question.if_no, url) and re.search(question.if_yes, url) for url in positives)


def test_unlabelled_links_draw_the_line() -> None:
    """The page's other links, unlabelled, show which segment varies and which word is fixed."""
    page = [
        "https://s.example/",
        "https://s.example/login",
        "https://s.example/album/spring-2019",
        "https://s.example/album/autumn",
        "https://s.example/user/anna",
        "https://s.example/user/bert",
    ]
    found = learn(["https://s.example/album/winter", "https://s.example/album/our-summer"], unlabelled=page)
    assert [url for url in page if url in found.matched] == page[2:4]


def test_a_question_tells_two_generalisations_apart() -> None:
    """With two examples of numbers it stays open whether names belong too: the learner asks."""
    found = learn(["https://s.example/p/12", "https://s.example/p/7"], ["https://s.example/about"])
    assert found.questions
    assert "s.example/p/" in found.questions[0].url


def test_a_question_changes_one_word_or_number_of_an_example() -> None:
    """Behind two owls the telling question is another bird, not a bare number; and no other ending is asked about."""
    found = learn(["https://s.example/pic/owls-1", "https://s.example/pic/owls-22"])
    assert found.questions[0].url == "https://s.example/pic/example-1"
    found = learn(["https://s.example/a/12/x-3.html", "https://s.example/a/13/y-44.html"])
    assert not any(question.url.endswith(".example") for question in found.questions)


def test_unknown_method_is_refused() -> None:
    """A method that does not exist is named together with those that do."""
    with pytest.raises(UnknownMethod, match=r"no method 'magic': write default or alignment"):
        learn(["https://s.example/1"], method="magic")


def test_fast_enough_for_a_page_of_links() -> None:
    """Three examples against 300 links of the page take well under two seconds, even on a busy machine."""
    negatives = [f"https://s.example/{kind}/{n}/{n * 7}" for kind in ("tag", "user", "day") for n in range(100)]
    start = time.process_time()
    learn_regex([f"https://s.example/photo/{n}/name-{n}" for n in (1, 22, 333)], negatives)
    assert time.process_time() - start < 2


def test_negatives_and_the_unlabelled_links_count_together() -> None:
    """A link named as not of the layer is refused, and the page's other links still draw the line."""
    albums = [f"https://s.example/albums/{name}.html" for name in ("a-12", "b-7", "sea-9", "old-town-3")]
    index = "https://s.example/albums/index.html"
    page = [*albums, index, "https://s.example/about.html", "https://s.example/tags/sea-1.html", "https://s.example/"]
    found = learn(albums[:2], [index], page)
    assert set(found.matched) == set(albums)


def test_an_ending_that_all_share_is_kept() -> None:
    """Examples that all end in .html say that the layer does, with and without the page's other links."""
    examples = ["https://s.example/albums/spring.html", "https://s.example/albums/winter.html"]
    for page in ([], [*examples, "https://s.example/albums/", "https://s.example/about.html"]):
        assert learn(examples, unlabelled=page).regex.endswith(r"\.html$")
