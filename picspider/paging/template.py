"""The next page by counting."""

from __future__ import annotations

import re

from pydantic import Field, field_validator

from picspider.errors import Failed
from picspider.links.link import Link
from picspider.links.page import Page
from picspider.paging.base import PagingRule, onward
from picspider.urls import resolve

_NUMBER = re.compile(r"\{n(?::(?P<format>0?\d{0,2}d?))?\}")


class TemplatePaging(PagingRule):
    """A URL with `{n}` (or `{n:03d}`), counted up; relative ones are relative to the page."""

    template: str = Field(min_length=1, description="URL of a page with {n} or {n:03d} for its number.")
    last: int | None = Field(None, ge=0, description="The last number; without it the chain ends when nothing is new.")
    first: int = Field(1, ge=0, description="The number of the page the chain begins with.")
    step: int = Field(1, ge=1, description="What a page adds to the number, such as 30 for offsets.")

    @field_validator("template")
    @classmethod
    def _has_number(cls, value: str) -> str:
        if not _NUMBER.search(value):
            raise ValueError("the template needs {n} where the number stands, or {n:03d} with leading zeros")
        return value

    def next_links(self, page: Page, number: int) -> list[Link]:
        """The page with the next number, up to the last one."""
        n = self.first + number * self.step
        if self.last is not None and n > self.last:
            return []
        written = _NUMBER.sub(lambda place: format(n, place["format"] or "d"), self.template)
        try:
            return onward(page, [Link(resolve(page.base_url, written, page.encoding), str(n), "template")])
        except Failed:
            return []
