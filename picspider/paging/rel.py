"""The next page by the rel attribute of a link."""

from __future__ import annotations

from pydantic import Field

from picspider.links.candidate import rel_words
from picspider.links.link import Link
from picspider.links.page import Page
from picspider.paging.base import PagingRule, onward


class RelPaging(PagingRule):
    """One of the words of rel, on `<a>`, `<area>` or `<link>`."""

    rel: str = Field(min_length=1, pattern=r"^\S+$", description="A word of the link's rel attribute, mostly next.")

    def next_links(self, page: Page, number: int) -> list[Link]:
        """The first link with that word."""
        word = self.rel.lower()
        return onward(page, page.where(accept=lambda candidate: word in rel_words(candidate.attributes)))[:1]
