"""From a thumbnail's address to the full picture's, where no page links that: what sites commonly do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SMALL = r"thumb(?:nail)?s?|tn|small|mini|preview|previews|(?:cache/|resized?/)?\d+x\d+|cache|w\d+"
_DIRECTORY = re.compile(rf"/(?:{_SMALL})/", re.IGNORECASE)
_ENDING = re.compile(r"[-_.](?:thumb(?:nail)?|tn|t|s|small|preview|\d+x\d+)(\.[A-Za-z]{3,4})$", re.IGNORECASE)
_LARGE = ("full", "large", "original", "originals", "orig", "images", "photos", "pictures")


@dataclass(frozen=True, slots=True)
class Guess:
    """`pattern` and `to` as the config's `rewrite` has them."""

    pattern: str
    to: str

    def apply(self, url: str) -> str:
        """The address that it makes of *url*."""
        return re.sub(self.pattern, self.to, url)


def rewrites(url: str) -> Iterator[Guess]:
    """What may turn the thumbnail *url* into the full picture, the likeliest first."""
    directory = _DIRECTORY.search(url)
    if directory is not None:
        pattern = re.sub(r"\d+", r"\\d+", directory[0])
        yield Guess(pattern, "/")
        yield from (Guess(pattern, f"/{name}/") for name in _LARGE)
    ending = _ENDING.search(url)
    if ending is not None:
        before = re.sub(r"\d+", r"\\d+", re.escape(url[ending.start() : ending.start(1)]).replace(r"\-", "-"))
        yield Guess(rf"{before}(\.\w+)$", r"\1")
