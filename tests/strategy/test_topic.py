from __future__ import annotations

from typing import Any

import pytest

from picspider.config.model import TopicConfig
from picspider.links.page import Page
from picspider.strategy.layers import Visit
from picspider.strategy.topic import SCALE, Leads, TopicStrategy, described_links, judge
from picspider.topic import MODELS, Topic

HTML = """<!doctype html><html><head><title>Orchid flowers</title></head><body>
<p>Orchid flowers of the mountains. Orchids, and more orchids: their flowers, roots and leaves.</p>
<ul><li><a href="orchids.html#top">More orchid flowers</a></li>
<li><a href="engines.html">Steam engines</a></li>
<li><a href="engines.html">Orchid engines with flowers</a></li>
<li><a href="http://other.example/orchids">Orchids elsewhere</a></li>
<li><a href="mailto:a@b.example">mail</a> <a href="guide.pdf">guide</a> <a href="http://[bad/">bad</a></li>
<li><a href="#top">up</a></li></ul>
<img src="/orchid.jpg"></body></html>"""


def page() -> Page:
    """A page about orchids with links of every kind."""
    return Page("http://site.example/dir/", HTML.encode())


def strategy(order: str = "best", **topic: Any) -> TopicStrategy:
    """The strategy of a config about orchid flowers."""
    section = {"text": "orchid flowers", **topic}
    config = TopicConfig.model_validate({"entry": "http://site.example/dir/", "topic": section, "order": order})
    return TopicStrategy(config, MODELS["shark-bm25"](Topic.from_text("orchid flowers")))


def look(rules: TopicStrategy, layer: int = 0) -> Leads:
    """What *rules* take from the page in *layer*."""
    return rules.look(page(), judge(rules.model, page()), layer)


def test_page_is_learned_from_and_judged() -> None:
    """The model observes the page once, scores it, and says whether it is relevant."""
    model = strategy().model
    judged = judge(model, page())
    assert judged.relevant
    assert judged.score.score > 2
    assert judged.text.title == "Orchid flowers"
    assert model.learned()["pages"] == 1


def test_links_are_counted_and_the_best_anchor_counts() -> None:
    """Kinds are counted by link; a page that is linked twice is one visit, with the better of its scores."""
    found = look(strategy())
    assert dict(found.kinds) == {"internal": 4, "external": 1, "other": 2}
    visits = {visit.url: visit for visit in found.visits}
    assert list(visits) == ["http://site.example/dir/orchids.html", "http://site.example/dir/engines.html"]
    engines = visits["http://site.example/dir/engines.html"]
    assert engines.text == "Orchid engines with flowers"
    assert (engines.layer, engines.kind, engines.position) == (1, "page", 1)
    assert 0 < engines.priority <= SCALE


def test_other_orders_ask_for_no_scores() -> None:
    """Breadth-first and depth-first follow the same links, unscored, and inherit nothing."""
    assert [visit.priority for visit in look(strategy("breadth")).visits] == [0, 0]
    assert strategy("depth").inherited_by(3, 9_000) == 0
    assert strategy().inherited_by(3, 9_000) == 9_000 / SCALE
    assert strategy().inherited_by(0, 9_000) == 0, "an entry page was found by no link"


@pytest.mark.parametrize(("scope", "count"), [("internal", 2), ("external", 1), ("all", 3)])
def test_scope(scope: str, count: int) -> None:
    """The scope says which links are followed."""
    assert len(look(strategy(scope=scope)).visits) == count


def test_depth() -> None:
    """At the greatest depth links are counted, not followed."""
    rules = strategy(depth=2)
    assert look(rules, 1).visits
    assert not look(rules, 2).visits
    assert look(rules, 2).kinds["internal"] == 4


def test_pictures_come_before_pages() -> None:
    """The pictures of a relevant page are in the next layer and score above every link."""
    rules = strategy()
    judged = judge(rules.model, page())
    (picture,) = rules.pictures(page(), judged, 2)
    assert isinstance(picture, Visit)
    assert (picture.url, picture.kind, picture.layer) == ("http://site.example/orchid.jpg", "picture", 3)
    assert picture.priority >= max(visit.priority for visit in look(rules).visits)


@pytest.mark.parametrize(
    "html", ['<meta http-equiv="Refresh" content="0; url=there.html">', '<IFRAME src="there.html"></IFRAME>']
)
def test_frames_and_refreshes_lead_on(html: str) -> None:
    """Pages that come by themselves are followed like links."""
    rules = strategy()
    there = Page("http://site.example/dir/", html.encode())
    found = rules.look(there, judge(rules.model, there), 0)
    assert [visit.url for visit in found.visits] == ["http://site.example/dir/there.html"]


def test_addresses_are_resolved_against_the_base() -> None:
    """`<base>` counts, and the query is written in the page's encoding."""
    html = '<meta charset="gbk"><base href="/base/"><a href="find?q=兰花">兰花</a>'.encode("gbk")
    ((url, link),) = described_links(Page("http://site.example/dir/", html))
    assert url == "http://site.example/base/find?q=%C0%BC%BB%A8"
    assert link.text == "兰花"
