from __future__ import annotations

from picspider.links.page import Page
from picspider.strategy.album_ranking import AlbumRanking, FoundBy, Rated
from picspider.strategy.layers import Look, Visit
from picspider.strategy.topic import SCALE
from picspider.topic import MODELS, Topic

HTML = """<!doctype html><title>{title}</title><body>
<ul><li>Orchid flowers of the mountains: <a href="/1">see</a></li></ul>
<ul><li>Steam engines of all kinds: <a href="/2">see</a></li></ul>"""
ENTRY = FoundBy("", 0)


def ranking(*, ranks: bool = True) -> AlbumRanking:
    """A ranking about orchid flowers."""
    return AlbumRanking(MODELS["shark-bm25"](Topic.from_text("orchid flowers")), ranks=ranks)


def page(title: str = "Gallery") -> Page:
    """A page with two links of the same text."""
    return Page("http://a.example/", HTML.format(title=title).encode())


def visit(path: str, text: str = "", kind: str = "page", priority: int = 0) -> Visit:
    """A visit of the next layer."""
    return Visit(f"http://a.example{path}", kind, 1, 1, text, 0, priority=priority)  # type: ignore[arg-type]  # one of the two kinds


def test_links_are_ranked_by_what_stands_around_them() -> None:
    """The same text in a list about the topic is worth more; one's own text counts before that of the link."""
    look = Look([visit("/1"), visit("/2"), visit("/none"), visit("/2", "orchid flowers")])
    ranking().rate(page(), look, ENTRY)
    orchids, engines, unknown, told = (each.priority for each in look.visits)
    assert orchids > engines >= 0
    assert told > engines
    assert unknown <= engines


def test_next_page_promises_what_this_one_has_shown() -> None:
    """It gets the best score of the links, or, where there are none, what this page was found with."""
    look = Look([visit("/1"), visit("/2")], [visit("/?p=2")])
    ranking().rate(page(), look, ENTRY)
    assert look.next_pages[0].priority == look.visits[0].priority > 0
    dry = Look([], [visit("/?p=3")])
    ranking().rate(page(), dry, FoundBy("", 77))
    assert dry.next_pages[0].priority == 77


def test_pictures_come_right_after_their_page() -> None:
    """Whatever is said of them, they are worth more than the link to their page was."""
    look = Look([visit("/2", kind="picture"), visit("/2")])
    ranking().rate(page(), look, FoundBy("", 4 * SCALE))
    picture, album = (each.priority for each in look.visits)
    assert picture == 4 * SCALE + 1
    assert album < picture


def test_without_order_best_nothing_is_scored() -> None:
    """The page is rated all the same."""
    look = Look([visit("/1", priority=3)], [visit("/?p=2", priority=4)])
    rated = ranking(ranks=False).rate(page("Orchid flowers"), look, ENTRY)
    assert [look.visits[0].priority, look.next_pages[0].priority] == [3, 4]
    assert rated.relevant
    assert rated.score > 2


def test_text_of_the_link_speaks_for_an_album() -> None:
    """An album is about the topic when its page is, or what its link says; a list when a link to a page says so."""
    blank = Page("http://a.example/", b"<title>Photo</title>")
    rank = ranking()
    assert not rank.rate(blank, Look(), ENTRY).relevant
    assert rank.rate(blank, Look(), FoundBy("orchid flowers", 0)).relevant
    assert rank.rate(blank, Look([visit("/x", "orchid flowers")]), ENTRY) == Rated(0.0, relevant=False, leads_on=True)
    for other in (visit("/x", "steam"), visit("/x"), visit("/x", "orchid flowers", "picture")):
        assert not rank.rate(blank, Look([other]), ENTRY).leads_on
