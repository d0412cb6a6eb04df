"""The next page by the rel attribute of a link."""

from __future__ import annotations

from pydantic import Field

from picspider.links.link import Link
from picspider.links.page import Page
from picspider.paging.base import PagingRule, onward


class RelPaging(PagingRule):
    """One of the words of rel, on `<a>`, `<area>` or `<link>`."""

    rel: str = Field(min_length=1, pattern=r"^\S+$", description="A word of the link's rel attribute, mostly next.")

    def next_links(self, page: Page, number: int) -> list[Link]:
        """The first link with that word."""
        return onward(page, page.with_rel(self.rel.lower()))[:1]
