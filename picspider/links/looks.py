"""Does a text look like a URL? For lazy-load attributes whatever their name, and strings in scripts."""

from __future__ import annotations

import re

# The endings of pictures as pages link them; `filters.format_names` has all that can be stored, raw files too.
PICTURES = (
    *("jpg", "jpeg", "jpe", "jfif", "png", "apng", "gif", "webp", "avif", "bmp"),
    *("tif", "tiff", "heic", "heif", "jxl", "jp2"),
)
PICTURE_ENDING = re.compile(rf"\.(?:{'|'.join(PICTURES)})\Z", re.IGNORECASE)
_EXTENSIONS = "|".join(
    (*PICTURES, "svgz?", "ico", "html?", "xhtml", "shtml", "php\\d?", "aspx?", "jspx?", "cgi", "json", "xml")
)
_NO = "\\s<>\"'{}|^`"
_URL = re.compile(
    rf"""(?:https?:)?[/\\]{{2}}[\w\[][^{_NO}]*              # //host, http://host
    |\.{{0,2}}/[^{_NO}/*\\$(),;][^{_NO}*\\$();]*              # /path, ./path, ../path
    |[^{_NO}():,;*=?#]+\.(?:{_EXTENSIONS})(?:[?\#][^{_NO}]*)?    # path/name.jpg?x
    |(?:(?:https?:)?//|\.{{0,2}}/)[^<>"'{{}}\t\r\n*,|;]*\.(?:{_EXTENSIONS})  # with blanks inside
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?:src|href|url|uri|original|lazy|image|img|thumb|full|large|zoom|hi-?res|bg|background|poster)\Z", re.IGNORECASE
)
_PLAUSIBLE = re.compile(rf"(?=[^/.?=]*[/.?=])(?![\d.,:]+(?:[a-z%]{{1,4}})?\Z)[^{_NO}(),;:*]+")
LONGEST_URL = 4000


_ENDS_LIKE_FILE = re.compile(rf"[^{_NO}?#]+\.(?:{_EXTENSIONS})(?:[?#].*)?", re.IGNORECASE)
_SEPARATORS = re.compile(r"[\s,|;]+")


def listed_urls(value: str) -> list[str]:
    """The URLs of a list that is parted by blanks, commas, bars or semicolons; none unless all look like files."""
    parts = _SEPARATORS.split(value)
    return parts if len(parts) > 1 and all(map(_ENDS_LIKE_FILE.fullmatch, parts)) else []


def looks_like_url(value: str) -> bool:
    """True when the whole *value* is an absolute or rooted URL, or a path that ends like a picture or a page."""
    return len(value) <= LONGEST_URL and _URL.fullmatch(value) is not None


def is_named_url(name: str, value: str) -> bool:
    """True when an attribute called *name* (data-src, data-full-url) may well hold the relative URL *value*."""
    return len(value) <= LONGEST_URL and _NAMED.search(name) is not None and _PLAUSIBLE.fullmatch(value) is not None
