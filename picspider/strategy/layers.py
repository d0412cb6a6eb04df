"""Layer by layer: which links of a page lead on, and how (*Mass picture downloader*, 3.1)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from picspider.links.sizes import largest
from picspider.urls import fingerprint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from picspider.config.layers import Layer
    from picspider.config.model import SiteConfig
    from picspider.links.link import Link
    from picspider.links.page import Page
    from picspider.visit import Kind


_NOT_SAID = re.compile(r"<[^<>]*>|[\d\s]+")
HALF_BITS = 32

MOST_OF_A_REFRESH = 20_000
MOST_REFRESHES = 5
# For `order: best`: entry pages come first, whatever is found on the first of them.
ENTRY_PRIORITY = 100_000


@dataclass(frozen=True, slots=True)
class Visit:
    """A URL to go to. `position` is its place among the links taken, `again`: this page linked it before,
    `priority`: what `order: best` goes by.
    """

    url: str
    kind: Kind
    layer: int
    page: int
    text: str
    position: int
    again: bool = False
    priority: int = 0


@dataclass(slots=True)
class Look:
    """What a page offers: `visits` of the next layer, `next_pages` of the same one, links that are no URLs.

    `content` is the fingerprint of the set of URLs taken and of what the page says but for its numbers; pages with
    equal ones show the same again. The URLs alone would not do: of many pages only the same icons are taken; its part
    for them is `offer_of` it. It is 0 when nothing is taken.
    """

    visits: list[Visit] = field(default_factory=list)
    next_pages: list[Visit] = field(default_factory=list)
    bad_links: list[tuple[str, str]] = field(default_factory=list)
    other_sizes: int = 0
    refresh: str | None = None
    content: int = 0


def offer_of(content: int) -> int:
    """The half of `Look.content` that tells the set of URLs taken; 0 when there are none."""
    return content >> HALF_BITS


class LayerStrategy:
    """The rules of a site config, ready to be asked."""

    def __init__(self, config: SiteConfig) -> None:
        self._config = config
        self.layers: Sequence[Layer] = config.layers
        self.last = len(config.layers)
        self._most_next_pages = config.limits.next_pages

    def kind_of(self, layer: int) -> Kind:
        """What the URLs of *layer* are."""
        return "picture" if layer >= self.last else "page"

    def look(self, page: Page, layer: int, number: int) -> Look:
        """What *page*, the *number*-th of its chain in *layer*, offers."""
        look = Look()
        if layer < self.last:
            self._take_layer(page, layer, look)
        self._take_next_pages(page, layer, number, look)
        if look.visits and (number > 1 or look.next_pages):
            urls = fingerprint("\n".join(sorted({visit.url for visit in look.visits})))
            words = fingerprint(_NOT_SAID.sub("", page.text))
            look.content = (offer_of(urls) << HALF_BITS) | (words & ((1 << HALF_BITS) - 1))
        if not look.visits and not look.next_pages:
            look.refresh = refresh_of(page)
        return look

    def _take_layer(self, page: Page, layer: int, look: Look) -> None:
        rule = self.layers[layer]
        links = matching(page, rule)
        if layer + 1 == self.last:
            links, others = largest(links)
            look.other_sizes = len({link.url for link in others} - {link.url for link in links})
        kind = self.kind_of(layer + 1)
        taken: set[str] = set()
        anchored: set[str] = set()
        repeated: set[str] = set()
        for link in links:
            url = rule.rewrite.apply(link.url) if rule.rewrite is not None else link.url
            is_anchor = link.origin == "href"
            again = is_anchor and url in anchored
            if is_anchor:
                anchored.add(url)
            # An <img> inside its own link, or a srcset, is the same sighting; a second <a> is another one.
            if url in taken and (not again or url in repeated):
                continue
            (repeated if again else taken).add(url)
            look.visits.append(Visit(url, kind, layer + 1, 1, link.text, len(look.visits), again))
        look.bad_links = [(raw, why) for raw, why in page.bad_links if rule.pattern.search(raw)]

    def _take_next_pages(self, page: Page, layer: int, number: int, look: Look) -> None:
        rule = self._config.paging_of(layer)
        if rule is None or layer >= self.last:
            return
        taken: set[str] = set()
        for link in rule.next_links(page, number):
            if link.url not in taken:
                taken.add(link.url)
                position = len(look.visits) + len(taken)
                look.next_pages.append(Visit(link.url, self.kind_of(layer), layer, number + 1, link.text, position))

    def stops_chain(self, number: int) -> bool:
        """Whether `limits.next_pages` forbids to go on after the *number*-th page of a chain."""
        return self._most_next_pages is not None and number > self._most_next_pages


def refresh_of(page: Page) -> str | None:
    """Where a page without links sends the browser by `<meta http-equiv=refresh>`, other than to itself."""
    if "refresh" not in page.text[:MOST_OF_A_REFRESH].lower():
        return None
    refreshes = page.where(accept=lambda candidate: candidate.origin == "refresh")
    return next((link.url for link in refreshes if link.url != page.url), None)


def goes_in_circles(url: str, came_by: Sequence[str]) -> bool:
    """Whether a refresh to *url* is one too many for a page that was *came_by* these URLs."""
    return len(came_by) >= MOST_REFRESHES or url in came_by


def matching(page: Page, rule: Layer) -> list[Link]:
    """The links of *page* that *rule* takes, in document order, duplicates kept."""
    if not rule.searches_source:
        return page.matching(rule.pattern, rule.exclude_patterns, rule.within)
    excludes = rule.exclude_patterns
    return [link for link in page.source_urls(rule.links) if not any(other.search(link.url) for other in excludes)]
