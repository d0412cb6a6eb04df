"""Sets of characters as bit masks, coarse enough to compare two positions of a regex quickly.

Bits 0 to 127 are ASCII; four more stand for all other word characters, digits, spaces and the rest; each
non-ASCII character that the regex itself holds has a bit of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

_ASCII = 128
_OTHER_SAMPLES = ("é", "٣", "\u2003", "→")  # one word character, digit, space and other sign for the rest
_CATEGORIES = {"CATEGORY_DIGIT": r"\d", "CATEGORY_SPACE": r"\s", "CATEGORY_WORD": r"\w"}


class Alphabet:
    """The characters that make a difference to one regex."""

    def __init__(self, pattern: str) -> None:
        own = sorted({character for character in pattern if ord(character) >= _ASCII})
        self.samples = (*map(chr, range(_ASCII)), *_OTHER_SAMPLES, *own)
        self._own = {character: _ASCII + len(_OTHER_SAMPLES) + at for at, character in enumerate(own)}
        self.all = (1 << len(self.samples)) - 1

    def matched_by(self, expression: str) -> int:
        """The mask of the characters that a class, given as a regex, matches."""
        pattern = re.compile(expression)
        return sum(1 << bit for bit, sample in enumerate(self.samples) if pattern.match(sample))

    def one(self, code: int) -> int:
        """The mask of one character."""
        if code < _ASCII:
            return 1 << code
        character = chr(code)
        if character in self._own:
            return 1 << self._own[character]
        kinds = (character.isalpha(), character.isdigit(), character.isspace())
        return 1 << _ASCII + (kinds.index(True) if any(kinds) else 3)

    def span(self, low: int, high: int) -> int:
        """The mask of the characters from *low* to *high*."""
        mask = sum(1 << code for code in range(low, min(high, _ASCII - 1) + 1))
        if high >= _ASCII:
            mask |= self.one(max(low, _ASCII)) | self.one(high)
            mask |= sum(1 << bit for character, bit in self._own.items() if low <= ord(character) <= high)
        return mask

    def members(self, items: Iterable[tuple[Any, Any]]) -> int:
        """The mask of a character set as Python's regex parser gives it."""
        mask, negated = 0, False
        for operation, value in items:
            name = str(operation)
            if name == "NEGATE":
                negated = True
            elif name == "LITERAL":
                mask |= self.one(value)
            elif name == "RANGE":
                mask |= self.span(*value)
            else:
                mask |= self.category(str(value))
        return self.all & ~mask if negated else mask

    def category(self, name: str) -> int:
        """The mask of one of the parser's categories, negated ones included."""
        positive = name.replace("_NOT_", "_")
        mask = self.matched_by(_CATEGORIES[positive])
        return mask if positive == name else self.all & ~mask

    def both_cases(self, mask: int) -> int:
        """*mask* with the other case of each of its ASCII letters."""
        for lower in range(ord("a"), ord("z") + 1):
            pair = 1 << lower | 1 << lower - 32
            if mask & pair:
                mask |= pair
        return mask

    def example(self, mask: int) -> str:
        """A character of *mask*, a letter or digit if there is one."""
        chosen = [sample for bit, sample in enumerate(self.samples) if mask >> bit & 1]
        return next((sample for sample in chosen if sample.isalnum()), chosen[0] if chosen else "")
