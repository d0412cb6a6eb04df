"""The next page by its URL."""

from __future__ import annotations

import re
from functools import lru_cache

from pydantic import Field, field_validator

from picspider.links.link import Link
from picspider.links.page import Page
from picspider.paging.base import PagingRule, onward


class UrlPaging(PagingRule):
    """A regular expression, searched in the absolute URL."""

    url: str = Field(min_length=1, description="Regex, searched in the absolute URL of each link.")

    @field_validator("url")
    @classmethod
    def _is_regex(cls, value: str) -> str:
        try:
            _compiled(value)
        except re.error as error:
            raise ValueError(f"not a regular expression: {error}") from error
        return value

    def takes_url(self, url: str) -> bool:
        """The URL is all that counts."""
        return _compiled(self.url).search(url) is not None

    def next_links(self, page: Page, number: int) -> list[Link]:
        """All links that match: forward and back may look alike, and only the crawl knows what it has seen."""
        return onward(page, page.matching(_compiled(self.url)))


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
