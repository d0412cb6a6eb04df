"""Runs of digits, runs of letters and single signs, and what several values have in common."""

import re

Values = tuple[str, ...]

_TOKEN = re.compile(r"\d+|[^\W\d_]+|.", re.DOTALL)


def tokens(value: str) -> tuple[str, ...]:
    """Cut a value into runs of digits, runs of letters and single other characters."""
    return tuple(_TOKEN.findall(value))


def common_start(values: Values) -> str:
    """The longest common beginning that does not cut a run of letters or digits."""
    start: list[str] = []
    for column in zip(*map(tokens, values), strict=False):
        if len(set(column)) > 1:
            break
        start.append(column[0])
    return "".join(start)


def common_end(values: Values) -> str:
    """The longest common end that does not cut a run of letters or digits."""
    return common_start(tuple(value[::-1] for value in values))[::-1]


def literal_kind(text: str) -> str:
    """What a literal is made of: digits among others, a word, few letters, or signs only."""
    if any(character.isdecimal() for character in text):
        return "digits"
    letters = sum(character.isalpha() for character in text)
    return "word" if letters >= 3 else "letters" if letters else "signs"
