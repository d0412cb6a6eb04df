"""Section `topic`: what the crawl is about."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from picspider.config.entries import check_url
from picspider.config.section import Count, ExistingFile, Seconds, Section, one_or_more, wrong


class Topic(Section):
    """Given by text, file or pages that are about it; any of them together."""

    text: str | None = Field(None, description="Words or sentences about the topic.", examples=["alpine flowers"])
    file: ExistingFile | None = Field(None, description="Path of a text file about the topic.", examples=["topic.txt"])
    pages: Annotated[tuple[Annotated[str, AfterValidator(check_url)], ...], one_or_more] = Field(
        (), description="Addresses of pages about the topic (seed pages).", examples=[["https://gallery.example/alps"]]
    )
    threshold: Seconds = Field(
        2.0,
        description="Score above which a page is relevant. In a layered crawl pages are dropped as off-topic only if "
        "it is written down; else the topic only ranks.",
    )
    model: str | None = Field(None, description="How pages are scored; null: the best all-round model.")
    scope: Literal["internal", "external", "all"] = Field(
        "internal", description="Spider `focused`: links followed: within the entry's hosts, to other hosts, or both."
    )
    depth: Count | None = Field(None, description="Spider `focused`: greatest number of clicks from the entry.")

    @model_validator(mode="after")
    def _given(self) -> Topic:
        if not (self.text and self.text.strip()) and not self.file and not self.pages:
            wrong("says nothing about the topic", "give text, file or pages")
        return self
