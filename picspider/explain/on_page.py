"""What a page shows of a URL: whether one layer's rules meet it there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from picspider.links.sizes import largest
from picspider.strategy.layers import matching
from picspider.urls import identity

if TYPE_CHECKING:
    from picspider.config.layers import Layer
    from picspider.links.page import Page


@dataclass(frozen=True, slots=True)
class OnPage:
    """`found`: the page has the link (or its source what the rule searches there); `within`: it stands inside the
    selector, None without one; `larger`: the size of the same picture that is taken in its place.
    """

    found: bool
    within: bool | None
    larger: str | None


def on_page(page: Page, rule: Layer, url: str, *, pictures: bool) -> OnPage:
    """How *rule* meets *url* on *page*; *pictures*: its matches are pictures, of which the largest size is taken."""
    links = page.source_urls(rule.links) if rule.searches_source else page.links()
    inside = None if rule.within is None else any(same(link.url, url) for link in page.links(rule.within))
    found = any(same(link.url, url) for link in links)
    return OnPage(found, inside, _larger(page, rule, url) if pictures and found else None)


def same(url: str, other: str) -> bool:
    """Whether both are one URL to the crawl."""
    return url == other or identity(url) == identity(other)


def _larger(page: Page, rule: Layer, url: str) -> str | None:
    chosen, aside = largest(matching(page, rule))
    if any(same(link.url, url) for link in chosen):
        return None
    groups = {link.group for link in aside if same(link.url, url)}
    return next((link.url for link in chosen if link.group in groups), None)
