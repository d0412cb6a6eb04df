"""The URLs of style sheets and style attributes: url(…), @import, image-set strings (CSS Syntax Level 3)."""

from __future__ import annotations

import re

from picspider.links.link import Reference

_STRING = r"""\"[^"\\\n]*(?:\\.[^"\\\n]*)*(?:"|\Z|(?=\n))|'[^'\\\n]*(?:\\.[^'\\\n]*)*(?:'|\Z|(?=\n))"""
_TOKEN = re.compile(
    rf"""/\*.*?(?:\*/|\Z)                                              # comment
    |url\(\s*(?P<quoted>{_STRING})
    |url\(\s*(?P<bare>(?:[^\s"'()\\]|\\.)+)
    |@import\s+(?P<import>{_STRING})
    |(?:image-set\(|,)\s*(?P<set>{_STRING})(?=\s+(?:[\d.]+(?:x|dp)|type\())
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})[ \t\r\n\f]?|(.))", re.DOTALL)


def css_urls(text: str) -> list[Reference]:
    """Every URL that the CSS *text* loads, comments left out."""
    if "(" not in text and "@" not in text:
        return []
    found = []
    for token in _TOKEN.finditer(text):
        raw = token["bare"] or (token["quoted"] or token["import"] or token["set"] or "")[1:]
        if token["bare"] is None:
            raw = raw[:-1] if raw[-1:] in ("'", '"') else raw
        if "\\" in raw:
            raw = _ESCAPE.sub(_unescape, raw)
        if raw:
            found.append(Reference(raw, "style"))
    return found


def _unescape(escape: re.Match[str]) -> str:
    if escape[1] is None:
        return escape[2] if escape[2] != "\n" else ""
    code = int(escape[1], 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
