"""The name template of pictures: the fields it may use. `pictures.file_names` fills them in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timezone
from string import Formatter

from picspider.errors import nearest, wrong

# `layerN` and `pathN` stand for layer1, layer2, … and path1, path2, …
NAME_FIELDS = {
    "layerN": "the page of layer N on the way to the picture: the text of the link to it, else the name in its address",
    "stem": "the file name in the picture's address, without extension",
    "ext": "the extension with its dot, as the content demands",
    "name": "the file name in the picture's address",
    "host": "the host of the picture's address",
    "folder": "the last folder in the picture's address",
    "path": "all folders in the picture's address, joined by _",
    "pathN": "the Nth folder in the picture's address",
    "query": "the query of the picture's address",
    "url": "the picture's address",
    "parent": "the name in the address of the page it was found on",
    "title": "the text of the link to the page it was found on",
    "text": "the text of the link to the picture, its title or alt",
    "index": "the position among the pictures of its page, from 1; always 1 where each has a page of its own",
    "page": "the position of its page in the chain of next pages, from 1",
    "layer": "the number of clicks from the entry",
    "width": "width in pixels",
    "height": "height in pixels",
    "bytes": "size of the file in bytes",
    "format": "the format in lower case",
    "sha256": "the content's SHA-256 in hexadecimal",
    "date": "the time of storing; `{date:%Y-%m}` and the like, else YYYY-MM-DD",
}
NUMBERED = re.compile(r"(layer|path)([1-9][0-9]{0,2})")  # layer 0, the entry, has no name
_NUMBERS = {"index", "page", "layer", "width", "height", "bytes"}
_MAX_FOLDERS = 15


def checked_template(template: str) -> str:
    """*template* itself; raises PydanticCustomError when it cannot be filled in or leads out of the folder."""
    try:
        pieces = list(Formatter().parse(template))
    except ValueError as error:
        wrong(f"is not a valid template ({error})", "a brace that is meant as such is written twice: {{ }}")
    shape = ""
    for literal, field, layout, conversion in pieces:
        shape += literal
        if field is not None:
            shape += "x"
            _check_field(field, layout or "", conversion)
    if all(field is None for _, field, _, _ in pieces):
        wrong("gives every picture the same name", "use a field, such as {stem}{ext}")
    _check_shape(shape)
    return template


def layers_in(template: str) -> Iterator[int]:
    """The numbers N of the fields `layerN` in a template."""
    for _, field, _, _ in Formatter().parse(template):
        if field is not None and (match := NUMBERED.fullmatch(field)) and match[1] == "layer":
            yield int(match[2])


def _check_shape(shape: str) -> None:
    parts = shape.split("/")
    if "\\" in shape or re.match(r"/|~|[A-Za-z]:", shape) or any(not part.strip(" .") for part in parts):
        wrong("leads out of the output folder", "write a path inside it with /, such as {layer1}/{stem}{ext}")
    if len(parts) > _MAX_FOLDERS + 1:
        wrong(f"has more than {_MAX_FOLDERS} folders", "use fewer")


def _check_field(field: str, layout: str, conversion: str | None) -> None:
    if field not in NAME_FIELDS.keys() - {"layerN", "pathN"} and not NUMBERED.fullmatch(field):
        near = nearest(field, ["layer1", "layer2", "path1", *NAME_FIELDS])
        choice = ", ".join(NAME_FIELDS)
        wrong(f"has the unknown field {{{field}}}", f"did you mean {{{near}}}?" if near else f"fields: {choice}")
    if conversion or not _is_layout(field, layout):
        wrong(f"has a format in {{{field}}} that does not fit", "write such as {index:03}, {sha256:.12} or {date:%Y}")


def _is_layout(field: str, layout: str) -> bool:
    if "{" in layout or "/" in layout or (field != "date" and re.search(r"\d{4}", layout)):
        return False
    samples = {"date": datetime(2000, 1, 1, tzinfo=timezone.utc)} | dict.fromkeys(_NUMBERS, 1)
    try:
        format(samples.get(field, "x"), layout)
    except ValueError:
        return False
    return True
