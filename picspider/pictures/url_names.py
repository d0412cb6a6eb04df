"""The parts of a URL that a picture can be named by."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from picspider.filters.format_names import is_picture_extension

# endings of programs and pages that send pictures: they say nothing of the content
_PAGE_EXTENSIONS = frozenset(
    {".php", ".php3", ".php5", ".asp", ".aspx", ".ashx", ".jsp", ".cgi", ".pl", ".do", ".html", ".htm", ".shtml"}
)


@dataclass(frozen=True, slots=True)
class UrlName:
    """Host, folders, last part of the path and query of a URL, percent escapes decoded.

    `name` is the last part that is not empty, `stem` and `extension` (with its dot) its pieces. The extension is
    empty unless it is a picture's or a page's: in ``IMG_2024.01.05`` nothing is one.
    """

    host: str
    folders: tuple[str, ...]
    name: str
    stem: str
    extension: str
    query: str


def url_name(url: str) -> UrlName:
    """The parts of *url*, whatever it looks like."""
    rest, _, query = url.partition("#")[0].partition("?")
    _scheme, separator, after = rest.partition("://")
    host, _, path = (after if separator else rest).partition("/")
    *folders, name = [_decoded(part) for part in path.split("/") if part] or [""]
    stem, extension = _split(name)
    return UrlName(host, tuple(folders), name, stem, extension, _decoded(query))


def page_name(url: str) -> str:
    """What a page is called after: the stem of its URL; its host when the path names nothing."""
    parts = url_name(url)
    return parts.stem or parts.host


def _split(name: str) -> tuple[str, str]:
    before, semicolon, _parameters = name.partition(";")
    for candidate in (before, name) if semicolon else (name,):
        stem, dot, last = candidate.rpartition(".")
        extension = dot + last
        if stem and (is_picture_extension(extension) or extension.lower() in _PAGE_EXTENSIONS):
            return stem, extension
    return name, ""


def _decoded(text: str) -> str:
    """Percent escapes as UTF-8; kept as they are when they are not (they are of the page's old charset)."""
    if "%" not in text:
        return text
    try:
        return unquote_to_bytes(text).decode()
    except UnicodeError:
        return text
