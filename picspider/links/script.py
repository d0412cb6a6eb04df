"""URLs in scripts: string literals that are a URL as a whole. Markup inside a string is not markup of the page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from picspider.links.link import Reference
from picspider.links.looks import is_named_url, looks_like_url

# Every alternative may end early (end of line or text), so that no start is tried twice: linear on any input.
_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)                                                   # comments
    |(?:(?<=[(,=:\[!&|?{};+])|(?<=[(,=:\[!&|?{};+]\s))/(?![*/])
        (?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\]?)+/?                                # regular expression
    |"(?P<double>[^"\\\n]*(?:\\.[^"\\\n]*)*)(?:"|\n|\Z)
    |'(?P<single>[^'\\\n]*(?:\\.[^'\\\n]*)*)(?:'|\n|\Z)
    |`(?P<template>[^`\\]*(?:\\.[^`\\]*)*)(?:`|\Z)
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
_JOINED = re.compile(r"\s*\+")
_NOT_URLS = frozenset(("@context", "@type", "@vocab"))


def script_urls(text: str) -> list[Reference]:
    """The string literals of the script *text* that are URLs; pieces joined by + are left out, they are only parts."""
    found = []
    for token in _TOKEN.finditer(text):
        if token.lastgroup is None:
            continue
        string = token[token.lastgroup]
        if "/" not in string and "." not in string and "\\" not in string:
            continue
        if "\\" in string:
            string = unescape(string)
        if looks_like_url(string) and not _is_joined(text, token):
            found.append(Reference(string, "script"))
    return found


def json_urls(text: str, origin: str) -> list[Reference]:
    """The URLs among the strings of the JSON *text*; of text that is no JSON, those of its string literals."""
    try:
        value = json.loads(text, strict=False)  # line breaks in strings are common, and do no harm
    except (ValueError, RecursionError):
        return [reference._replace(origin=origin) for reference in script_urls(text)]
    return [Reference(string, origin) for name, string in json_strings(value) if _is_url(name, string)]


def unescape(string: str) -> str:
    r"""A JavaScript or JSON string without its escapes: \/ \u002F \x2F \u{2F}."""
    return _ESCAPE.sub(_unescape, string)


def _unescape(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2] or escape[3]
    if code is None:
        return _LETTERS.get(escape[4], escape[4])
    return chr(int(code, 16)) if int(code, 16) < 0x110000 else "\ufffd"


def _is_joined(text: str, token: re.Match[str]) -> bool:
    before = text[max(0, token.start() - 8) : token.start()].rstrip()
    return before.endswith("+") or _JOINED.match(text, token.end()) is not None


def _is_url(name: str, string: str) -> bool:
    return name not in _NOT_URLS and (looks_like_url(string) or is_named_url(name, string))


def json_strings(value: object) -> Iterator[tuple[str, str]]:
    """Every string in document order with the key it stands under; without recursion, as nesting may be deep."""
    waiting: list[tuple[str, object]] = [("", value)]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, dict):
            waiting.extend(reversed(value.items()))
        elif isinstance(value, list):
            waiting.extend((name, item) for item in reversed(value))
