"""`source: page`: URLs found in the raw page source (Mass picture downloader, section 3.2.2).

There users' expressions begin with href= or src=, so that the URL's ends are certain; what follows is the URL.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Protocol

from picspider.links.entities import unescape_attribute
from picspider.links.script import unescape

_ATTRIBUTE = re.compile(
    r"(?P<flags>\(\?[a-zA-Z]+\))?(?P<name>href|src)=(?P<quote>[\"']?)(?P<rest>.*)", re.DOTALL | re.IGNORECASE
)
_VALUE = re.compile(r"""(?:href|src)\s*=\s*(?:"([^"]*)|'([^']*)|([^\s>]*))""", re.IGNORECASE)


class Finder(Protocol):
    """A compiled regular expression, or what finds like one."""

    @property
    def pattern(self) -> str:
        """The expression as text."""

    def finditer(self, string: str, /) -> Iterable[re.Match[str]]:
        """Every match in *string*."""


def is_attribute_pattern(pattern: str) -> bool:
    """True for a pattern that starts with href= or src=: it is searched in the page source (contract §3)."""
    return _ATTRIBUTE.match(pattern) is not None


@lru_cache(maxsize=256)
def source_pattern(pattern: str) -> str:
    """The regex to search the source with: blanks around =, capitals, a quote more than in *pattern* do not matter."""
    parts = _ATTRIBUTE.match(pattern)
    if parts is None:
        return pattern
    quote = parts["quote"] or "[\"']?"
    return f"{parts['flags'] or ''}\\b(?i:{parts['name']})\\s*=\\s*{quote}{parts['rest']}"


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(source_pattern(pattern))


def source_references(text: str, pattern: str | Finder) -> Iterator[str]:
    """The URLs, as written but unescaped, that *pattern* finds in the source *text*.

    The URL is the group `url`, else group 1, else the match; of a match that begins with href= or src=, its value.
    Entities are decoded, escaped slashes of scripts undone.
    """
    if isinstance(pattern, str) or is_attribute_pattern(pattern.pattern):
        pattern = _compiled(pattern if isinstance(pattern, str) else pattern.pattern)
    for match in pattern.finditer(text):
        raw = _url_of(match)
        if raw:
            if "\\" in raw and ("\\/" in raw or "\\u" in raw or "\\x" in raw):
                raw = unescape(raw)
            yield unescape_attribute(raw)


def _url_of(match: re.Match[str]) -> str:
    groups = match.groupdict()
    raw = groups["url"] if "url" in groups else (match[1] if match.re.groups else match[0])
    value = _VALUE.match(raw or "")
    if value is None:
        return raw or ""
    return value[1] if value[1] is not None else value[2] if value[2] is not None else value[3] or ""
