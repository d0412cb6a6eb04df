"""The paging rules' shapes until picspider.paging is there; removed then."""

from __future__ import annotations

from typing import Protocol

from pydantic import Field

from picspider.config.section import PositiveCount, Section


class PagingRule(Protocol):
    """A next-page rule."""


class _Text(Section):
    text: str = Field(min_length=1, description="Text of the link.")


class _Rel(Section):
    rel: str = Field(min_length=1, description="The link's rel.")


class _Url(Section):
    url: str = Field(min_length=1, description="Regex on the address of the next page.")


class _Css(Section):
    css: str = Field(min_length=1, description="CSS selector of the link.")


class _Template(Section):
    template: str = Field(min_length=1, description="Address with {n} for the number.")
    last: PositiveCount = Field(description="Number of the last page.")


PAGING: dict[str, type[Section]] = {"text": _Text, "rel": _Rel, "url": _Url, "css": _Css, "template": _Template}
