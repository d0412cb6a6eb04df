"""Section `urls`: when two addresses are the same."""

from __future__ import annotations

from pydantic import Field

from picspider.config.section import Flag, Section, Texts


class Urls(Section):
    """Only for telling repeats: the address that is fetched stays as the page wrote it."""

    ignore_parameters: Texts = Field(
        (),
        description="Names of query parameters that make no difference, such as session or tracking ids.",
        examples=[["sid", "utm_source"]],
    )
    strip_trailing_slash: Flag = Field(True, description="`/album` and `/album/` are the same page.")
