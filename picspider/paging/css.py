"""The next page by a CSS selector."""

from __future__ import annotations

from pydantic import Field, field_validator

from picspider.errors import wrong
from picspider.links.link import Link
from picspider.links.page import Page
from picspider.links.tree import Tree
from picspider.paging.base import PagingRule, onward


def checked_selector(css: str) -> str:
    """*css* itself; raises PydanticCustomError when it is no CSS selector."""
    try:
        Tree("").select(css)
    except ValueError:
        wrong("is not a CSS selector", "write one such as #main, .pager a.next or a[rel=next]; brackets are closed")
    return css


class CssPaging(PagingRule):
    """A CSS selector of the link, or of an element around it."""

    css: str = Field(min_length=1, description="CSS selector of the link to the next page, or of an element around it.")

    @field_validator("css")
    @classmethod
    def _is_selector(cls, value: str) -> str:
        return checked_selector(value)

    def next_links(self, page: Page, number: int) -> list[Link]:
        """The links there; those of scripts and data attributes when there is no plain one."""
        links = [link for link in page.links(within=self.css) if link.origin not in ("src", "srcset", "style")]
        return onward(page, [link for link in links if link.origin == "href"] or links)
