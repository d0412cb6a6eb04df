"""Section `pictures`: which pictures are kept, and under which name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from string import Formatter
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from picspider.config.section import Count, Flag, PositiveFloat, Section, Size, one_or_more, wrong

# As Pillow names them, besides the two that it does not read (SVG, JXL).
FORMATS = (
    *("AVIF", "BMP", "DDS", "GIF", "HEIF", "ICO", "JPEG", "JPEG2000", "JXL", "MPO"),
    *("PCX", "PNG", "PPM", "PSD", "SVG", "TGA", "TIFF", "WEBP"),
)
_SPELLINGS = {"JPG": "JPEG", "JPE": "JPEG", "JFIF": "JPEG", "TIF": "TIFF", "HEIC": "HEIF", "JP2": "JPEG2000"}

# What a name template may use, and what it stands for; `layerN` is any of layer0, layer1, …
NAME_FIELDS = {
    "layerN": "the folder for the page of layer N on the way to the picture (its link text, else its address)",
    "stem": "the file name in the picture's address, without extension",
    "ext": "the extension with its dot, as the content demands",
    "host": "the host of the picture's address",
    "path": "the folders in the picture's address",
    "text": "the text of the link to the picture",
    "title": "the title of the page it was found on",
    "page": "the position in the chain of next pages, from 1",
    "index": "the position on its page, from 1",
    "width": "width in pixels",
    "height": "height in pixels",
    "format": "the format in lower case",
    "sha256": "the content's SHA-256 in hexadecimal",
    "date": "the day of the download, YYYY-MM-DD",
}
_LAYER_FIELD = re.compile(r"layer(\d{1,3})")


def _known_format(name: str) -> str:
    upper = name.strip().lstrip(".").upper()
    known = _SPELLINGS.get(upper, upper)
    if known not in FORMATS:
        near = get_close_matches(known, [*FORMATS, *_SPELLINGS], 1, 0.5)
        wrong("is no known format", f"did you mean {near[0]}?" if near else f"known: {', '.join(FORMATS)}")
    return known


def layers_in(template: str) -> Iterator[int]:
    """The numbers N of the fields `layerN` in a name template."""
    for _, field, _, _ in Formatter().parse(template):
        if field is not None and (match := _LAYER_FIELD.fullmatch(field)):
            yield int(match[1])


def _checked_template(template: str) -> str:
    """A name template that can be filled in; the fields are NAME_FIELDS."""
    try:
        fields = [(field, spec, conversion) for _, field, spec, conversion in Formatter().parse(template)]
    except ValueError as error:
        wrong(f"is not a valid template ({error})", "a brace that is meant as such is written twice: {{ }}")
    if template.startswith(("/", "\\")) or ".." in re.split(r"[/\\]", template):
        wrong("leads out of the output folder", "write a path inside it, such as {layer1}/{stem}{ext}")
    for field, spec, conversion in fields:
        if field is not None:
            _check_field(field, spec or "", conversion)
    if not any(field is not None for field, _, _ in fields):
        wrong("gives every picture the same name", "use a field, such as {stem}{ext}")
    return template


def _check_field(field: str, spec: str, conversion: str | None) -> None:
    known = [name for name in NAME_FIELDS if name != "layerN"]
    if field not in known and not _LAYER_FIELD.fullmatch(field):
        near = get_close_matches(field, [*known, "layer1"], 1, 0.5)
        choice = ", ".join(NAME_FIELDS)
        wrong(f"has the unknown field {{{field}}}", f"did you mean {{{near[0]}}}?" if near else f"fields: {choice}")
    if conversion or not re.fullmatch(r"0?\d{0,2}", spec):
        wrong(f"has a format in {{{field}}} that is not known", "only a width is allowed, such as {index:03}")


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
    name: Annotated[str, AfterValidator(_checked_template)] = Field(
        "{layer1}/{stem}{ext}",
        description="Name of the file in the folder `pictures`; see the fields below.",
        examples=["{layer1}/{index:03}-{stem}{ext}"],
    )
    same_content: Literal["once", "keep", "link"] = Field(
        "once",
        description="The same bytes at another address: `once`: stored once, told as a repeat; `keep`: stored each "
        "time; `link`: as a hard link.",
    )
    sidecar: Flag = Field(False, description="A JSON file beside each picture with what is known of it.")

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
