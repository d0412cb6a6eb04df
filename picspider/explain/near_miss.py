"""How far a regex gets that does not match: the longest stretch of a URL that could have been the beginning."""

from __future__ import annotations

from dataclasses import dataclass

import regex

TIME_LIMIT_SECONDS = 1.0
# A single slash or letter is alike by chance.
LEAST_CHARACTERS = 3


@dataclass(frozen=True, slots=True)
class NearMiss:
    """Characters `start` up to, without, `end` (from 0) fit. `complete`: the whole regex fits there but for what it
    says of the characters behind, such as `$`; else `end` is where another character is wanted.
    """

    start: int
    end: int
    complete: bool


def near_miss(pattern: str, url: str) -> NearMiss | None:
    """The best try of *pattern*, a regex of Python's `re`, which does not match in *url*.

    None when hardly a character fits, or when it cannot be told in time.
    """
    best: NearMiss | None = None
    try:
        compiled = regex.compile(pattern)
        for end in range(len(url), 0, -1):
            if best is not None and end <= best.end - best.start:
                break
            match = compiled.search(url[:end], partial=True, timeout=TIME_LIMIT_SECONDS)
            if match is not None and match.end() > match.start():
                length = match.end() - match.start()
                if best is None or length > best.end - best.start:
                    best = NearMiss(match.start(), match.end(), not match.partial)
    except (regex.error, TimeoutError):
        return None
    return best if best is not None and best.end - best.start >= LEAST_CHARACTERS else None
