"""Section `limits`: when to stop early."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from picspider.config.section import PositiveCount, PositiveFloat, Section, Size


class Limits(Section):
    """Each limit ends the run early when it is reached; what waits stays in the store for the next run."""

    pages: PositiveCount | None = Field(None, description="Pages fetched in this run.", examples=[500])
    pictures: PositiveCount | None = Field(None, description="Pictures stored in this run.", examples=[1000])
    next_pages: PositiveCount | None = Field(None, description="Pages of one chain of next pages.", examples=[20])
    bytes: Annotated[Size, Field(ge=1)] | None = Field(
        None, description="Bytes received in this run; takes units.", examples=["2GB"]
    )
    seconds: PositiveFloat | None = Field(None, description="Duration of this run in seconds.", examples=[3600])
