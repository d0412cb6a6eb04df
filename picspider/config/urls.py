"""Section `urls`: when two addresses are the same."""

from __future__ import annotations

from pydantic import Field

from picspider.config.section import Flag, Section, Texts
from picspider.urls import IdentityRules


class Urls(Section):
    """Only for telling repeats: the address that is fetched stays as the page wrote it."""

    ignore_parameters: Texts = Field(
        (),
        description="Names of query parameters that make no difference, such as session or tracking ids.",
        examples=[["sid", "utm_source"]],
    )
    strip_trailing_slash: Flag = Field(True, description="`/album` and `/album/` are the same page.")

    @property
    def rules(self) -> IdentityRules:
        """The same for `picspider.urls`."""
        return IdentityRules(self.ignore_parameters, self.strip_trailing_slash)
