"""Wrong usage of the command line, told as everything else: what is wrong, the value, and what to do."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any

import typer

# Typer does not name that class.
UsageError: type[Any] = typer.BadParameter.__mro__[1]
_WHOLE = "is no whole number; write digits only, as 3"
_WORDS = {
    "int_parsing": _WHOLE,
    "int_type": _WHOLE,
    "greater_than_equal": "is too small; write {ge:g} or more",
    "less_than_equal": "is too large; write {le:g} or less",
}


def put_into_words(error: Any) -> None:
    """Give the `UsageError` *error* a message that names the value, where Typer has one of pydantic's."""
    details = getattr(error.__cause__, "errors", None)
    if details is None:
        return
    first = details()[0]
    context = first.get("ctx") or {}
    words = _WORDS.get(first["type"])
    if words is not None:
        error.message = f"{first['input']!r} {words.format(**context)}"
        return
    error.message = str(context.get("error", first["msg"]))
    choices = re.findall(r"'([^']*)'", error.message.partition(" is not one of ")[2])
    near = get_close_matches(str(first["input"]), choices, 1)
    if choices:
        error.message = f"{first['input']!r} is none of {', '.join(choices)}" + (
            f"; did you mean {near[0]}?" if near else ""
        )
