"""The candidates of a srcset attribute (HTML standard, "parse a srcset attribute")."""

from __future__ import annotations

import re

from picspider.links.link import Reference

# A URL is a run without white space; commas at its end part the candidates, commas inside belong to it.
_CANDIDATE = re.compile(r"[\s,]*([^\s,]\S*)")
_DESCRIPTORS = re.compile(r"(?:[^,(]|\([^)]*\)?)*,?")
_SIZE = re.compile(r"(?:^|\s)(\d{1,9}(?:\.\d{1,9})?)([wx])(?:\s|\Z)")
WIDTH_OF_DENSITY_1 = 1000


def srcset(value: str) -> list[Reference]:
    """The URLs of a srcset with their declared widths in pixels (a density of 2x counts as 2000)."""
    found = []
    position = 0
    while candidate := _CANDIDATE.match(value, position):
        url, position = candidate[1], candidate.end()
        width = 0
        if url.endswith(","):
            url = url.rstrip(",")
        elif descriptors := _DESCRIPTORS.match(value, position):
            position = descriptors.end()
            width = _width(descriptors[0].rstrip(","))
        found.append(Reference(url, "srcset", width))
    return found


def _width(descriptors: str) -> int:
    size = _SIZE.search(descriptors)
    if size is None:
        return 0
    return int(float(size[1]) * (1 if size[2] == "w" else WIDTH_OF_DENSITY_1))
