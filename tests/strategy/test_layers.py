from __future__ import annotations

from typing import Any

import pytest

from picspider.config.model import SiteConfig
from picspider.links.page import Page
from picspider.strategy.layers import LayerStrategy, Look, Visit, offer_of, refresh_of

BASE = "http://a.example"


def strategy(*layers: Any, **more: Any) -> LayerStrategy:
    """The strategy of a config with *layers*."""
    return LayerStrategy(SiteConfig.model_validate({"entry": f"{BASE}/", "layers": layers, **more}))


def page(html: str, url: str = f"{BASE}/") -> Page:
    """A page with *html*."""
    return Page(url, f"<!doctype html><body>{html}</body>".encode())


def look(html: str, *layers: Any, layer: int = 0, number: int = 1, **more: Any) -> Look:
    """What a page with *html* offers."""
    return strategy(*layers, **more).look(page(html), layer, number)


def paths(visits: list[Visit]) -> list[str]:
    """Their URLs without the host."""
    return [visit.url.removeprefix(BASE) for visit in visits]


def test_links_of_the_next_layer() -> None:
    """They are pages but in the last layer, where they are pictures; the pictures of the last layer have no links."""
    html = '<a href="/album/1">One</a> <a href="/other">Other</a> <a href="/album/2">Two</a> <img src="/a.jpg">'
    found = look(html, "/album/", r"\.jpg$")
    assert found.visits == [
        Visit(f"{BASE}/album/1", "page", 1, 1, "One", 0),
        Visit(f"{BASE}/album/2", "page", 1, 1, "Two", 1),
    ]
    last = look(html, "/album/", r"\.jpg$", layer=1)
    assert [(visit.kind, visit.layer) for visit in last.visits] == [("picture", 2)]
    assert look(html, "/album/", r"\.jpg$", layer=2, next_page="Two") == Look()
    rules = strategy("/album/", r"\.jpg$")
    assert [rules.kind_of(layer) for layer in range(4)] == ["page", "page", "picture", "picture"]


def test_second_link_is_another_sighting() -> None:
    """A second `<a>` to the same address is told once, as one that was linked before; an `<img>` in its link is not."""
    html = '<a href="/1.jpg">a</a><a href="/2.jpg"><img src="/2.jpg"></a><a href="/1.jpg">b</a><a href="/1.jpg">c</a>'
    found = look(html, r"\.jpg$")
    assert [(visit.url[-5:], visit.text, visit.position, visit.again) for visit in found.visits] == [
        ("1.jpg", "a", 0, False), ("2.jpg", "", 1, False), ("1.jpg", "b", 2, True),
    ]  # fmt: skip
    shown_first = look('<img src="/1.jpg"><p><a href="/1.jpg">a</a><a href="/1.jpg">b</a>', r"\.jpg$")
    assert [visit.again for visit in shown_first.visits] == [False, True]


def test_patterns_on_the_source_in_any_letters() -> None:
    """A pattern with flags or capitals before href= is searched in the source as well, where alone it can match."""
    html = '<script>write("<A HREF=\'/album/1\'>")</script><a href="/album/2">Two</a>'
    assert paths(look(html, "(?i)href='(/album/[^']+)", "x").visits) == ["/album/1"]
    assert paths(look(html, "HREF=/album/[0-9]+", "x").visits) == ["/album/1", "/album/2"]


def test_sizes_are_told_apart_in_the_last_layer_only() -> None:
    """Of a thumbnail and what its link leads to the latter is taken as the picture; pages have no sizes."""
    html = '<a href="/large/1.jpg"><img src="/small/1.jpg"></a><a href="/large/2.jpg"><img src="/small/2.jpg"></a>'
    found = look(html, r"\.jpg$")
    assert (paths(found.visits), found.other_sizes) == (["/large/1.jpg", "/large/2.jpg"], 2)
    itself = look('<a href="/1.jpg"><img src="/1.jpg"></a>', r"\.jpg$")
    assert (paths(itself.visits), itself.other_sizes) == (["/1.jpg"], 0)
    pages = look(html, r"\.jpg$", r"\.png$")
    assert (len(pages.visits), pages.other_sizes) == (4, 0)


def test_addresses_are_rewritten() -> None:
    """What two links are after it counts as one."""
    rule = {"links": "/t/", "rewrite": {"from": r"/t/|\?.*", "to": "/"}}
    assert paths(look('<img src="/t/1.jpg?w=1"><p><img src="/t/1.jpg">', rule).visits) == ["/1.jpg/", "/1.jpg"]
    rule["rewrite"] = {"from": r"/t/(\w+\.jpg).*", "to": r"/\1"}
    assert paths(look('<img src="/t/1.jpg?w=1"><p><img src="/t/1.jpg">', rule).visits) == ["/1.jpg"]


@pytest.mark.parametrize("source", ["links", "page"])
def test_excluded_links(source: str) -> None:
    """What one of several expressions excludes is not taken, whether the links or the page's source is searched."""
    rule = {"links": r"/album/\d+", "exclude": ["/album/1$", "/album/3$"], "source": source}
    html = "".join(f'<a href="/album/{number}">x</a>' for number in range(1, 5))
    assert paths(look(html, rule).visits) == ["/album/2", "/album/4"]


def test_links_that_are_no_urls() -> None:
    """Those that the rule would take are told, with the reason."""
    found = look('<a href="http://[bad/album/">x</a><a href="http://[other/">y</a>', "/album/")
    ((raw, why),) = found.bad_links
    assert raw == "http://[bad/album/"
    assert why


def test_next_pages() -> None:
    """They are of the same layer, one further in the chain, each once, and stand after the links that are taken."""
    html = '<a href="/a/1">1</a><a href="?p=2">Next</a><a href="?p=2">Next</a>'
    found = look(html, "/a/", r"\.jpg$", number=4, next_page="Next")
    assert found.next_pages == [Visit(f"{BASE}/?p=2", "page", 0, 5, "Next", 2)]
    assert look(html, "/a/", r"\.jpg$", layer=1, next_page="Next").next_pages[0].layer == 1
    assert look(html, "/a/", r"\.jpg$").next_pages == []
    own = {"links": "/a/", "next_page": None}
    assert look(html, own, r"\.jpg$", layer=1, next_page="Next").next_pages == []


def test_fingerprints_of_a_chain() -> None:
    """A page of a chain is known by its links and its words, whatever its numbers and markup; others by nothing."""
    more: dict[str, Any] = {"next_page": "Next"}
    next_page = '<a href="?p=2">Next</a>'
    first = look(f'<a href="/a/1">x</a><a href="/a/2">y</a>{next_page}', "/a/", **more)
    assert offer_of(first.content)
    turned = look(f'<p class=z><a href="/a/2">x</a> 77 <a href="/a/1">y</a>{next_page}', "/a/", number=2, **more)
    assert turned.content == first.content
    said = look(f'<a href="/a/1">x</a><a href="/a/2">other words</a>{next_page}', "/a/", **more)
    assert said.content != first.content
    assert offer_of(said.content) == offer_of(first.content)
    others = look(f'<a href="/a/1">x</a><a href="/a/3">y</a>{next_page}', "/a/", **more)
    assert offer_of(others.content) != offer_of(first.content), "the words alone do not tell"
    assert look('<a href="/a/1">x</a>', "/a/").content == 0, "no chain"
    assert look('<a href="/a/1">x</a>', "/a/", number=2).content, "its last page"
    assert look(next_page, "/a/", number=2, **more).content == 0, "nothing taken"


def test_refresh_of_a_page_that_offers_nothing() -> None:
    """The browser is followed elsewhere, not round and round, and only when there is nothing else to do."""
    refresh = '<meta http-equiv="Refresh" content="0; url=/there">'
    assert look(refresh, "/a/").refresh == f"{BASE}/there"
    assert look(refresh + '<a href="/a/1">x</a>', "/a/").refresh is None
    assert look(refresh + '<a href="?p=2">Next</a>', "/a/", r"\.jpg$", next_page="Next").refresh is None
    assert refresh_of(page(refresh, f"{BASE}/there")) is None
    assert refresh_of(page(refresh.replace("/there", "/") + refresh)) == f"{BASE}/there"
    assert refresh_of(page("<p>no such thing</p>")) is None
    assert refresh_of(page(f"<p>{'x' * 20_000}</p>{refresh}")) is None, "it stands at the top of a page"


def test_most_next_pages() -> None:
    """`limits.next_pages` counts the pages after the first; without it a chain has no end."""
    rules = strategy("/a/", limits={"next_pages": 2})
    assert [rules.stops_chain(number) for number in (1, 2, 3)] == [False, False, True]
    assert not strategy("/a/").stops_chain(10_000)
