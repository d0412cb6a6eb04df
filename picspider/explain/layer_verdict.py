"""What one layer's rules say of a URL."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from picspider.explain.near_miss import NearMiss, near_miss
from picspider.explain.on_page import OnPage, Target, on_page
from picspider.regexes.checked import compiled

if TYPE_CHECKING:
    from picspider.config.model import SiteConfig
    from picspider.links.page import Page


@dataclass(frozen=True, slots=True)
class Match:
    """What a regex found: characters `start` up to, without, `end`, from 0."""

    pattern: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LayerVerdict:
    """What the rules say that lead to `layer`, from pages of the layer before it.

    None stands for what cannot be told without a page, or what the rule does not have. `takes`: the URL is a visit;
    `rewritten`: what is requested; `next_page`: the paging rule of the layer before takes it as the next page.
    """

    layer: int
    name: str
    takes: bool | None
    searches_source: bool
    match: Match | None
    near: NearMiss | None
    excluded: Match | None
    on_page: OnPage | None
    rewritten: str | None
    next_page: bool | None


def layer_verdict(config: SiteConfig, layer: int, url: str, page: Page | None, number: int = 1) -> LayerVerdict:
    """The verdict of the rules of `layers[layer - 1]` on *url*; *page* is the *number*-th of its chain."""
    rule = config.layers[layer - 1]
    target = Target(url, "picture" if layer == len(config.layers) else "page", config.urls.rules)
    match = None if rule.searches_source else _search(rule.links, url)
    verdict = LayerVerdict(
        layer=layer,
        name=str(rule.name),
        takes=None,
        searches_source=rule.searches_source,
        match=match,
        near=near_miss(rule.links, url) if match is None and not rule.searches_source else None,
        excluded=next((found for pattern in rule.exclude if (found := _search(pattern, url))), None),
        on_page=None if page is None else on_page(page, rule, target),
        rewritten=rule.rewrite.apply(url) if rule.rewrite is not None else None,
        next_page=_is_next_page(config, layer - 1, url, page, number),
    )
    return replace(verdict, takes=_takes(verdict))


def _takes(verdict: LayerVerdict) -> bool | None:
    seen = verdict.on_page
    if verdict.excluded is not None or (not verdict.searches_source and verdict.match is None):
        return False
    if seen is None:
        return None if verdict.searches_source else True
    return seen.found and seen.within is not False and seen.larger is None


def _search(pattern: str, url: str) -> Match | None:
    found: re.Match[str] | None = compiled(pattern).search(url)
    return None if found is None else Match(pattern, found[0], found.start(), found.end())


def _is_next_page(config: SiteConfig, layer: int, url: str, page: Page | None, number: int) -> bool | None:
    rule = config.paging_of(layer)
    if rule is None:
        return None
    if page is None:
        return rule.takes_url(url)
    target = Target(url, "page", config.urls.rules)
    return any(target.is_at(link.url) for link in rule.next_links(page, number))
