"""Section `pictures`: which pictures are kept, and under which name."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from picspider.config.name_template import checked_template
from picspider.config.section import Count, Flag, PositiveFloat, Section, Size, one_or_more
from picspider.errors import nearest, wrong
from picspider.filters.format_names import EXTENSIONS, canonical

FORMATS = tuple(EXTENSIONS)
COMMON = FORMATS[:6]


def _known_format(name: str) -> str:
    known = canonical(name)
    if known not in FORMATS:
        near = nearest(known, COMMON) or nearest(known, FORMATS)
        wrong("is no known format", f"did you mean {near}?" if near else f"known: {', '.join(FORMATS)}")
    return known


class Pictures(Section):
    """A picture outside these bounds is no failure: it is listed in skips.json."""

    min_width: Count = Field(0, description="Least width in pixels, upright.", examples=[600])
    min_height: Count = Field(0, description="Least height in pixels, upright.", examples=[400])
    max_width: Count | None = Field(None, description="Greatest width in pixels; null: none.")
    max_height: Count | None = Field(None, description="Greatest height in pixels; null: none.")
    min_size: Size = Field(0, description="Least size of the file in bytes; takes units.", examples=["10kB"])
    max_size: Size | None = Field(
        100_000_000, description="Greatest size of the file in bytes; takes units; null: none.", examples=["100MB"]
    )
    min_aspect: PositiveFloat | None = Field(None, description="Least width ÷ height; null: none.", examples=[0.5])
    max_aspect: PositiveFloat | None = Field(None, description="Greatest width ÷ height; null: none.", examples=[2.0])
    formats: Annotated[tuple[Annotated[str, AfterValidator(_known_format)], ...], one_or_more] | None = Field(
        None, description=f"Formats kept, as the content says; null: all. {', '.join(FORMATS)}.", examples=[["JPEG"]]
    )
    name: Annotated[str, AfterValidator(checked_template)] = Field(
        "{layer1}/{stem}{ext}",
        description="Name of the file in the folder `pictures`; see the fields below.",
        examples=["{layer1}/{layer2}/{stem}{ext}"],
    )
    same_content: Literal["once", "keep", "link"] = Field(
        "once",
        description="The same bytes at another address: `once`: stored once, told as a repeat; `keep`: stored each "
        "time; `link`: as a hard link.",
    )
    sidecar: Flag = Field(
        False,
        description="A JSON file for each picture with what is known of it, in the folder `sidecars` of the output "
        "(beside the pictures where these go to S3, GCS or FTP).",
    )

    @model_validator(mode="after")
    def _bounds_in_order(self) -> Pictures:
        for low, high in (
            ("min_width", "max_width"),
            ("min_height", "max_height"),
            ("min_size", "max_size"),
            ("min_aspect", "max_aspect"),
        ):
            least, greatest = getattr(self, low), getattr(self, high)
            if least is not None and greatest is not None and least > greatest:
                wrong(f"is above {high} ({greatest}), so that no picture can pass", f"lower {low}", below=(low,))
        return self
