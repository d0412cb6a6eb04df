"""The name that a picture would get, as far as it can be told before the download."""

from __future__ import annotations

import string
from dataclasses import dataclass
from typing import TYPE_CHECKING

from picspider.pictures.naming import candidates, fields_at
from picspider.pictures.url_names import url_name
from picspider.places import NOWHERE
from picspider.visit import Note

if TYPE_CHECKING:
    from picspider.places import Place

_IN_THE_BYTES = {"width", "height", "bytes", "format", "sha256", "date"}
_OF_THE_PAGE = {"parent", "title", "text", "index", "page"}


@dataclass(frozen=True, slots=True)
class Found:
    """A picture's URL as the link `position` (from 0) of the page at `place`; None: that page is not known."""

    url: str
    layer: int
    place: Place | None = None
    text: str = ""
    position: int = 0


@dataclass(frozen=True, slots=True)
class FileName:
    """`file` is relative to the folder of the pictures; `unknown` are fields that are known later, shown as names.

    `tagged` is the name instead, if another picture has the name with this `key`.
    """

    file: str
    key: int
    tagged: str
    unknown: tuple[str, ...]


def file_name(template: str, found: Found) -> FileName:
    """The name by *template* of the picture *found*."""
    note = Note(layer=found.layer, kind="picture", position=found.position, text=found.text)
    fields = fields_at(found.place or NOWHERE, found.url, note)
    pieces = [_piece(*parsed, placed=found.place is not None) for parsed in string.Formatter().parse(template)]
    shown = "".join(piece for piece, _ in pieces)
    (file, key), (tagged, _), *_ = candidates(shown, fields, url_name(found.url).extension or ".jpg")
    return FileName(file, key, tagged, tuple(name for _, name in pieces if name))


def _piece(literal: str, name: str | None, layout: str | None, _: object, *, placed: bool) -> tuple[str, str]:
    """A piece of the template, with its field's name in the place of a field that is not known yet; and that name."""
    literal = literal.replace("{", "{{").replace("}", "}}")
    if name is None:
        return literal, ""
    if name in _IN_THE_BYTES or (not placed and (name in _OF_THE_PAGE or name.startswith("layer"))):
        return f"{literal}{{{{{name}}}}}", name
    return literal + (f"{{{name}:{layout}}}" if layout else f"{{{name}}}"), ""
