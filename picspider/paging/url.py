"""The next page by its URL."""

from __future__ import annotations

from pydantic import Field

from picspider.links.link import Link
from picspider.links.page import Page
from picspider.paging.base import PagingRule, onward
from picspider.regexes.checked import Regex, compiled


class UrlPaging(PagingRule):
    """A regular expression, searched in the absolute URL."""

    url: Regex = Field(description="Regex, searched in the absolute URL of each link.")

    def takes_url(self, url: str) -> bool:
        """The URL is all that counts."""
        return compiled(self.url).search(url) is not None

    def next_links(self, page: Page, number: int) -> list[Link]:
        """All links that match: forward and back may look alike, and only the crawl knows what it has seen."""
        return onward(page, page.matching(compiled(self.url)))
