"""The names of stored pictures: a template of the user's, filled with what is known of the picture.

``{layer1}/{stem}{ext}`` is the default. A slash of the template makes a folder, a slash in a value never does.
A field may carry a format as in Python: ``{index:04}``, ``{sha256:.12}``, ``{date:%Y-%m}``.
"""

from __future__ import annotations

import string
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from picspider.config.name_template import NUMBERED
from picspider.filters.format_names import is_picture_extension, same_format
from picspider.pictures.safe_names import clean, fit_path, fold, with_suffix_tag
from picspider.pictures.url_names import UrlName, page_name, url_name

__all__ = ["FIELDS", "Fields", "fold", "render", "with_suffix_tag"]

_MOST_VALUE_CHARACTERS = 4096


@dataclass(frozen=True, slots=True)
class Fields:
    """What is known of a picture when it gets its name.

    `layers`: names of the pages it was reached by, that of layer 1 first; `index`: its position on its page, from 1;
    `page`: the position of that page in its chain of next pages; `layer`: clicks from the entry; `parent_url`: the
    page it was found on; `title`: the text of the link to that page; `text`: the link's text, title or alt; `date`:
    when it was stored; `width`, `height` in pixels; `bytes`: size of the file; `format`: as Pillow calls it.
    """

    url: str
    layers: tuple[str, ...] = ()
    index: int = 0
    page: int = 1
    layer: int = 0
    parent_url: str = ""
    title: str = ""
    text: str = ""
    date: datetime | None = None
    width: int = 0
    height: int = 0
    bytes: int = 0
    format: str = ""
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class _Source:
    """Where values are taken from. `extension`: as the address spells it, if it is the content's."""

    fields: Fields
    address: UrlName
    extension: str

    @classmethod
    def of(cls, fields: Fields, extension: str) -> _Source:
        address = url_name(fields.url)
        spelled = address.extension
        return cls(fields, address, spelled if spelled and same_format(spelled, extension) else extension)


# field → its value. {layerN} and {pathN} are read in `_value`.
FIELDS: dict[str, Callable[[_Source], str | int | datetime]] = {
    "stem": lambda source: source.address.stem,
    "ext": lambda source: source.extension,
    "name": lambda source: source.address.name,
    "host": lambda source: source.address.host,
    "folder": lambda source: source.address.folders[-1] if source.address.folders else "",
    "path": lambda source: "_".join(source.address.folders),
    "query": lambda source: source.address.query,
    "url": lambda source: source.fields.url,
    "parent": lambda source: page_name(source.fields.parent_url),
    "title": lambda source: source.fields.title,
    "text": lambda source: source.fields.text,
    "index": lambda source: source.fields.index,
    "page": lambda source: source.fields.page,
    "layer": lambda source: source.fields.layer,
    "width": lambda source: source.fields.width,
    "height": lambda source: source.fields.height,
    "bytes": lambda source: source.fields.bytes,
    "format": lambda source: source.fields.format.lower(),
    "sha256": lambda source: source.fields.sha256,
    "date": lambda source: source.fields.date or "",
}


def render(template: str, fields: Fields, extension: str) -> str:
    """The relative POSIX path of a picture: safe on every file system, within its folder, never empty.

    *extension* (with its dot) is that of the content: the name ends in it, or in another spelling of it that the
    address has (``.JPG``, ``.jpeg``). *template* is one that `config.name_template` let through.
    """
    source = _Source.of(fields, extension)
    parts = [""]
    for literal, field, layout in _parsed(template):
        first, *more = literal.split("/")
        parts[-1] += first
        parts += more
        if field:
            parts[-1] += _value(source, field, layout)
    *folders, name = parts
    stem, ending = _with_extension(name, extension)
    stem = clean(stem) or clean(source.address.stem) or "picture"
    return fit_path([part for part in map(clean, folders) if part], (stem, ending))


@lru_cache(maxsize=64)
def _parsed(template: str) -> tuple[tuple[str, str, str], ...]:
    """(literal, field or "", format) of each piece."""
    return tuple(
        (literal, field or "", layout or "") for literal, field, layout, _ in string.Formatter().parse(template)
    )


def _value(source: _Source, field: str, layout: str) -> str:
    numbered = NUMBERED.fullmatch(field)
    if numbered:
        names = source.fields.layers if numbered[1] == "layer" else source.address.folders
        number = int(numbered[2])
        value: str | int | datetime = names[number - 1] if number <= len(names) else ""
    else:
        value = FIELDS[field](source)
    if isinstance(value, str):
        value = value[:_MOST_VALUE_CHARACTERS]
    if field == "date":
        return format(value, layout or "%Y-%m-%d") if value else ""
    return format(value, layout)


def _with_extension(name: str, extension: str) -> tuple[str, str]:
    """Stem and extension of *name*, whose own extension stays only if it is a spelling of the content's."""
    stem, dot, last = name.rpartition(".")
    if not dot or not (same_format(dot + last, extension) or is_picture_extension(dot + last)):
        return name, extension
    return stem, dot + last if same_format(dot + last, extension) else extension
