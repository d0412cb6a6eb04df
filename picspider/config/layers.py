"""Section `layers`: one rule per click from the entry page down to the pictures."""

from __future__ import annotations

import re
import sys
from functools import cached_property
from importlib import import_module
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from picspider.config.next_page import NextPage
from picspider.config.section import Section, one_or_more, want_text
from picspider.errors import wrong
from picspider.links.source import is_attribute_pattern
from picspider.paging.css import checked_selector
from picspider.regexes.checked import Regex, compiled

_parser = import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
_NAME = Annotated[str, Field(min_length=1, max_length=80)]


class Rewrite(Section):
    """Turns the address of a thumbnail into that of the full picture."""

    from_: Regex = Field(
        alias="from", description="Regex; every match in the address is replaced.", examples=["/thumb/"]
    )
    to: str = Field(description=r"What it is replaced by; `\1` and `\g<name>` stand for groups.", examples=["/full/"])

    @model_validator(mode="after")
    def _groups_exist(self) -> Rewrite:
        try:
            _parser.parse_template(self.to, compiled(self.from_))
        except (re.error, IndexError) as error:
            advice = r"write \1 only for a group that `from` has, and \\ for a backslash"
            wrong(f"is not a valid replacement ({error})", advice, below=("to",))
        return self

    def apply(self, url: str) -> str:
        """*url* with every match of `from` replaced."""
        return compiled(self.from_).sub(self.to, url)


class Layer(Section):
    r"""What counts as a link to the next layer; a text alone is short for `links`."""

    links: Regex = Field(
        description="Regex, searched in the absolute address of each link. One that starts with `href=` or `src=` is "
        "searched in the page's source instead, and the address inside it is taken.",
        examples=[r"/album/\d+", 'href="(/photo/[^"]+)"'],
    )
    name: _NAME | None = Field(None, description="Name in tree and messages; default layer-1, layer-2, …, picture.")
    exclude: Annotated[tuple[Regex, ...], one_or_more] = Field(
        (),
        description="Regex or list of regexes; an address that one of them matches is not taken.",
        examples=["/album/0$"],
    )
    within: Annotated[str, AfterValidator(checked_selector)] | None = Field(
        None, description="CSS selector: only links inside what it selects.", examples=["#main"]
    )
    source: Literal["links", "page"] = Field(
        "links",
        description="`links`: every address a browser or a script could load; `page`: the page's source is searched, "
        "and the address is group `url`, else group 1, else the match.",
    )
    next_page: NextPage = Field(
        None, description="Paging rule for the pages of this layer instead of the general one; null: none."
    )
    rewrite: Rewrite | None = Field(None, description="Turns a thumbnail's address into the full picture's.")

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, raw: object) -> object:
        want_text(raw)
        if isinstance(raw, str) and raw.partition(":")[0] in cls.model_fields:
            wrong(
                "has no space after the colon",
                f"write `{raw.partition(':')[0]}: …`, or put the text into quotes and [ ]",
            )
        return {"links": raw} if isinstance(raw, str) else raw

    @property
    def searches_source(self) -> bool:
        """Whether `links` is searched in the page's source rather than in its links."""
        return self.source == "page" or is_attribute_pattern(self.links)

    @property
    def has_own_paging(self) -> bool:
        """Whether `next_page` was written at all: null means none, absence means the general rule."""
        return "next_page" in self.model_fields_set

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """`links`, compiled."""
        return compiled(self.links)

    @cached_property
    def exclude_patterns(self) -> tuple[re.Pattern[str], ...]:
        """`exclude`, compiled."""
        return tuple(compiled(pattern) for pattern in self.exclude)
