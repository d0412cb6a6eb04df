"""The YAML parser's complaints in words that say what to do. They never quote the file, which may hold secrets."""

from __future__ import annotations

import re
from typing import Any

from picspider.config.problem import Problem

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

_SYNTAX = (  # what the parser says, what we say, what to do
    ("escape", "a backslash in double quotes begins an escape, and this one is unknown", "write it in single quotes"),
    ("unexpected end of stream", "a quote is not closed", "close it; in single quotes, ' itself is written ''"),
    ("document separator", "a quote is not closed", "close it; in single quotes, ' itself is written ''"),
    (
        "mapping values are not allowed",
        "a colon stands where none is expected",
        "one `key: value` a line, a space after the colon; a text with a colon is quoted",
    ),
    ("could not find expected ':'", "a key without a colon", "write `key: value`, with a space after the colon"),
    ("',' or ']'", "a [ is not closed", "close it; a text that begins with [ is written in single quotes"),
    ("',' or '}'", "a { is not closed", "close it; a text that begins with { is written in single quotes"),
    (
        "expected key",
        "this does not fit what stands before it",
        "indent alike; close quotes at the end of the value, and write ' inside single quotes as ''",
    ),
    ("'-' indicator", "this does not fit the list before it", "indent the items of a list alike"),
    ("block end", "this does not fit what stands before it", "indent alike; close quotes at the end of the value"),
    (
        "undefined alias",
        "begins with *, which refers to an anchor that is not there",
        "a text that begins with * is written in single quotes",
    ),
    ("anchor", "begins with & or *, which are YAML's anchors and aliases", "write the text in single quotes"),
    ("alias", "begins with & or *, which are YAML's anchors and aliases", "write the text in single quotes"),
    ("tag", "begins with !, which is YAML's tag", "write the text in single quotes"),
    ("directive", "a line begins with %", "write the text in single quotes"),
    ("block scalar", "begins with | or >, which start a block of text in YAML", "write the text in single quotes"),
    (
        "not allowed in this context",
        "this does not fit what stands before it",
        "indent alike; quote texts with special characters",
    ),
    ("too deep|max depth|depth", "is nested too deep", "a config needs no such depth"),
)


def syntax_problem(error: Any, text: str, name: str) -> Problem:
    """The parser's complaint in words that say what to do; it never quotes the file, which may hold secrets."""
    mark = getattr(error, "problem_mark", None)
    said = " ".join(filter(None, (getattr(error, "context", None), getattr(error, "problem", None)))) or str(error)
    lines = text.splitlines()
    if mark is None:
        found = CONTROL.search(text)
        line = text.count("\n", 0, found.start()) + 1 if found else 1
        return Problem(f"{name}:{line}", "", "the file holds a control character", "", "save it as plain text in UTF-8")
    at = min(mark.line, max(len(lines) - 1, 0))
    line_text = lines[at] if lines else ""
    start = getattr(error, "context_mark", None)
    if "quoted scalar" in said and "escape" not in said and start is not None:
        at = start.line
    place = f"{name}:{at + 1}"
    if "cannot start any token" in said or re.match(r"[ ]*\t", line_text):
        return _bad_start(place, line_text, mark.column)
    for part, what, advice in _SYNTAX:
        if re.search(part, said):
            return Problem(place, "", what, "", advice)
    return Problem(
        place,
        "",
        f"is not valid YAML ({getattr(error, 'problem', None) or 'unreadable'})",
        "",
        "check the line and the one before",
    )


def _bad_start(place: str, line: str, column: int) -> Problem:
    if re.match(r"[ ]*\t", line) or line[column : column + 1] == "\t":
        return Problem(place, "", "a tab is used for indentation", "", "YAML indents by spaces: replace the tab")
    sign = line[column : column + 1]
    return Problem(place, "", f"a text cannot begin with {sign}", "", "write it in single quotes")
