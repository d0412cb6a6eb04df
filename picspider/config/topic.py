"""Section `topic`: what the crawl is about."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from picspider.config.entries import check_url
from picspider.config.section import Count, ExistingFile, NonNegative, Section, one_or_more
from picspider.errors import nearest, wrong


def _known_model(value: str) -> str:
    from picspider.topic import MODELS  # noqa: PLC0415 - only who names a model pays for the topics' libraries

    if value not in MODELS:
        near = nearest(value, MODELS)
        wrong("is no known model", f"did you mean {near}?" if near else f"write {' or '.join(MODELS)}")
    return value


class Topic(Section):
    """Given by text, file or pages that are about it; any of them together."""

    text: str | None = Field(None, description="Words or sentences about the topic.", examples=["alpine flowers"])
    file: ExistingFile | None = Field(None, description="Path of a text file about the topic.", examples=["topic.txt"])
    pages: Annotated[tuple[Annotated[str, AfterValidator(check_url)], ...], one_or_more] = Field(
        (), description="Addresses of pages about the topic (seed pages).", examples=[["https://gallery.example/alps"]]
    )
    threshold: NonNegative | None = Field(
        None,
        description="Score above which a page is relevant, 0 to 5; null: the model's own (2.0 for vsm-4b-c). In a "
        "layered crawl pages below it are dropped as off-topic only if it is written; else the topic only ranks.",
        examples=[2.0],
    )
    model: Annotated[str, AfterValidator(_known_model)] | None = Field(
        None,
        description="How pages are scored: shark-bm25, vsm-4b-c or tfidf-seed; null: shark-bm25.",
        examples=["vsm-4b-c"],
    )
    scope: Literal["internal", "external", "all"] = Field(
        "internal", description="Spider `focused`: links followed: within the entry's hosts, to other hosts, or both."
    )
    depth: Count | None = Field(None, description="Spider `focused`: greatest number of clicks from the entry.")

    @model_validator(mode="after")
    def _given(self) -> Topic:
        if not (self.text and self.text.strip()) and not self.file and not self.pages:
            wrong("says nothing about the topic", "give text, file or pages")
        return self
