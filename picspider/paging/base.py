"""What every next-page rule is, and what no next page is (Mass picture downloader, section 3.1)."""

from __future__ import annotations

from abc import abstractmethod

from pydantic import BaseModel, ConfigDict

from picspider.links.forms import Form
from picspider.links.link import Link
from picspider.links.page import Page
from picspider.urls import identity


class PagingRule(BaseModel):
    """How the next page is recognised. Exactly one kind, one field that names it."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    @abstractmethod
    def next_links(self, page: Page, number: int) -> list[Link]:
        """The links to the page after *page*, best first; empty at the end of the chain.

        *number* is the position of *page* in its chain: 1, 2, 3 …
        """

    def takes_url(self, url: str) -> bool | None:
        """Whether *url* is a next page wherever it stands; None when the rule cannot tell without the page."""
        return None

    def post_form(self, page: Page) -> Form | None:
        """The form that would have to be sent by POST for the next page; None when the rule knows of none."""
        return None


def onward(page: Page, links: list[Link]) -> list[Link]:
    """*links* that lead on: enabled ones, each URL once.

    One that leads to *page* itself is kept only when there is no other: it ends the chain, and is a repeat to record.
    """
    here = identity(page.url)
    enabled = {identity(link.url): link for link in reversed(links) if not link.disabled}
    itself = enabled.pop(here, None)
    if enabled:
        return list(reversed(enabled.values()))
    return [itself] if itself is not None else []
