"""What a page shows of a URL: whether one layer's rules meet it there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from picspider.links.sizes import largest
from picspider.strategy.layers import matching
from picspider.urls import IdentityRules, key_of

if TYPE_CHECKING:
    from picspider.config.layers import Layer
    from picspider.links.page import Page
    from picspider.visit import Kind


@dataclass(frozen=True, slots=True)
class OnPage:
    """`found`: the page has the link (or its source what the rule searches there); `within`: it stands inside the
    selector, None without one; `larger`: the size of the same picture that is taken in its place.
    """

    found: bool
    within: bool | None
    larger: str | None


@dataclass(frozen=True, slots=True)
class Target:
    """A URL that is looked for, as a page or a picture of a crawl with these `rules`."""

    url: str
    kind: Kind
    rules: IdentityRules

    def is_at(self, url: str) -> bool:
        """Whether *url* is the same to the crawl."""
        return url == self.url or key_of(url, self.kind, self.rules) == key_of(self.url, self.kind, self.rules)


def on_page(page: Page, rule: Layer, target: Target) -> OnPage:
    """How *rule* meets *target* on *page*; of pictures the largest size is taken."""
    links = page.source_urls(rule.links) if rule.searches_source else page.links()
    inside = None if rule.within is None else any(target.is_at(link.url) for link in page.links(rule.within))
    found = any(target.is_at(link.url) for link in links)
    return OnPage(found, inside, _larger(page, rule, target) if target.kind == "picture" and found else None)


def _larger(page: Page, rule: Layer, target: Target) -> str | None:
    chosen, aside = largest(matching(page, rule))
    if any(target.is_at(link.url) for link in chosen):
        return None
    groups = {link.group for link in aside if target.is_at(link.url)}
    return next((link.url for link in chosen if link.group in groups), None)
