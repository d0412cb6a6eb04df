"""Wrong usage of the command line, told as everything else: what is wrong, the value, and what to do."""

from __future__ import annotations

import re
from typing import Any

import typer

from picspider.errors import nearest

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
    near = nearest(str(first["input"]), choices)
    if choices:
        error.message = f"{first['input']!r} is none of {', '.join(choices)}" + (
            f"; did you mean {near}?" if near else ""
        )
