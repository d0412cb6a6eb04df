"""The default model."""

from __future__ import annotations

from math import isclose, log, sqrt

from picspider.topic import PageText, Topic
from picspider.topic.shark_bm25 import SharkBm25

URL = "https://maths.example/p/1.html"
NOWHERE = "https://maths.example/"


def model() -> SharkBm25:
    """A model of two words, equal in weight, that has seen nothing."""
    return SharkBm25(Topic.from_text("graph colouring"))


def test_score_of_a_page_worked_out_by_hand() -> None:
    """Title: 1 of 2 words, 0.5; body: count 3 of half 3, so 0.5 of 0.5; worth 0.375; score 5·√0.375 = 3.062."""
    page = model().score_page("Graphs", "graph graph graph", URL)
    assert isclose(page.score, 5 * sqrt(0.375))
    assert isclose(page.title_cosine, 1 / sqrt(2))
    assert isclose(page.body_cosine, 1 / sqrt(2))
    assert isclose(page.inherited, 0.1875)


def test_score_of_a_link_worked_out_by_hand() -> None:
    """0.4 · 0.1875 inherited + 0.6 · (0.7 · 1 for anchor and URL + 0.3 · 0.5 for the context) = 0.585."""
    scorer = model()
    page = scorer.score_page("Graphs", "graph graph graph", URL)
    link = scorer.score_link("Colouring", "more on graphs", "https://maths.example/graph/2", page)
    assert isclose(link, 0.585)


def test_rare_words_weigh_more_once_pages_are_seen() -> None:
    """Seen 3 pages with graph and none with colouring: 1 + log(5/4) against 1 + log(5/1)."""
    scorer = model()
    for number in range(3):
        scorer.observe(PageText(f"https://maths.example/{number}", "", "graph"))
    graph, colouring = 1 + log(5 / 4), 1 + log(5)
    nothing = scorer.score_page("", "", URL)
    assert isclose(scorer.score_link("graph", "", NOWHERE, nothing), 0.6 * 0.7 * graph / (graph + colouring))
    assert isclose(scorer.score_link("colouring", "", NOWHERE, nothing), 0.6 * 0.7 * colouring / (graph + colouring))


def test_worth_is_handed_on_through_pages_off_topic() -> None:
    """Half of what was inherited each time: the way stays open for a few clicks."""
    scorer = model()
    first = scorer.score_page("Other", "text", URL, inherited=0.8)
    second = scorer.score_page("Other", "text", URL, inherited=first.inherited)
    assert (first.score, first.inherited, second.inherited) == (0, 0.4, 0.2)
    assert scorer.score_link("x", "", NOWHERE, first) > scorer.score_link("x", "", NOWHERE, second) > 0


def test_long_pages_need_more_uses() -> None:
    """The same two uses are worth less on a page that is longer than the others."""
    scorer = model()
    scorer.observe(PageText(URL, "", "graph algebra algebra"))
    short = scorer.score_page("", "graph graph", URL)
    long = scorer.score_page("", "graph graph " + "algebra " * 50, URL)
    assert short.score > long.score > 0


def test_forms_of_a_word_and_other_scripts_match() -> None:
    """Stems match in English, traditional characters match simplified ones."""
    assert model().score_link("Graphs", "", NOWHERE, model().score_page("", "", URL)) > 0
    chinese = SharkBm25(Topic.from_text("資料庫"))
    assert chinese.score_page("数据库", "", URL).title_cosine == 1


def test_memory_is_that_of_the_topic() -> None:
    """However many words the pages have, only the topic's are counted."""
    scorer = model()
    for number in range(200):
        scorer.observe(PageText(URL, "", " ".join(f"word{number}x{k}" for k in range(50))))
    assert set(scorer._pages_with) == set(scorer._weighted) == {"graph", "colour"}


def test_an_empty_page_scores_nothing() -> None:
    """No title, no text: zero, and no error."""
    scorer = model()
    scorer.observe(PageText(URL, "", ""))
    page = scorer.score_page("", "", URL)
    assert (page.score, page.title_cosine, page.body_cosine, page.inherited) == (0, 0, 0, 0)
    assert not scorer.relevant(page.score)
