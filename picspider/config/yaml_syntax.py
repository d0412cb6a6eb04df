"""The YAML parser's complaints in words that say what to do. They never quote the file, which may hold secrets."""

from __future__ import annotations

import re

from yaml import MarkedYAMLError, YAMLError

from picspider.config.problem import Problem

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_TAB = re.compile(r"[ ]*\t")
_NO_SPACE = re.compile(r"\s*(- )?[a-z_]+:[^\s]")
_SPECIAL_START = re.compile(r"\s*(?:- +)?(?:[\w-]+: +)?([\[{*&!%@`|>])")
_QUOTES = "close it at the end of the value; inside single quotes, ' itself is written ''"
_SINGLE = "write it in single quotes"
_SYNTAX = (  # what the parser says, what we say, what to do
    (
        "escape|hexdec|Unicode character",
        "a backslash in double quotes begins an escape, and this one is wrong",
        _SINGLE,
    ),
    ("unexpected end of stream|document separator", "a quote is not closed", _QUOTES),
    ("depth", "is nested too deep", "a config needs no such depth"),
    (
        "mapping values are not allowed",
        "a colon stands where none is expected",
        "write one `key: value` a line, keys of one level indented alike; a text with a colon and a space is quoted",
    ),
    ("find expected ':'", "a key without a colon", "write `key: value`, with a space after the colon"),
    ("',' or ']'", "a [ is not closed", "close it; a text that begins with [ is written in single quotes"),
    ("',' or '}'", "a { is not closed", "close it; a text that begins with { is written in single quotes"),
    ("expected key|'-' indicator|block end", "does not fit what stands before it", "indent alike, and close quotes"),
    ("directive", "a line begins with %", _SINGLE),
)


def syntax_problem(error: YAMLError, text: str, name: str) -> Problem:
    """The problem that *error* tells about *text*."""
    mark = error.problem_mark if isinstance(error, MarkedYAMLError) else None
    if mark is None:
        found = CONTROL.search(text)
        line = text.count("\n", 0, found.start()) + 1 if found else 1
        advice = "save it as plain text in UTF-8"
        return Problem(f"{name}:{line}", "", "the file holds a control character", "", advice)
    assert isinstance(error, MarkedYAMLError)
    said = f"{error.context or ''} {error.problem or ''}"
    if "quoted scalar" in said and "end of stream" in said and error.context_mark is not None:
        mark = error.context_mark  # where the quote begins, not where the file ends
    lines = [*text.splitlines(), ""]
    at = min(mark.line, len(lines) - 1)
    at -= at > 0 and "mapping values" in said and _NO_SPACE.match(lines[at - 1]) is not None
    what, advice = _worded(said, lines[at], mark.column)
    return Problem(f"{name}:{at + 1}", "", what, "", advice)


def _worded(said: str, line: str, column: int) -> tuple[str, str]:
    """What is wrong with *line*, and what to do."""
    sign = line[column : column + 1]
    special = _SPECIAL_START.match(line)
    if _TAB.match(line) or sign == "\t":
        return "a tab is used for indentation", "YAML indents by spaces: replace the tab"
    if "mapping values" in said and _NO_SPACE.match(line):
        return "there is no space after the colon", "write `key: value`"
    if "any token" in said or (special and not re.search(r"stream|',' or|quoted|depth", said)):
        return f"a text without quotes cannot begin with {special[1] if special else sign}", _SINGLE
    if re.search("expected key|'-' indicator", said) and re.search(r"['\"]", line):
        return "a text goes on after its closing quote", _QUOTES
    found = ((what, advice) for part, what, advice in _SYNTAX if re.search(part, said))
    return next(found, (f"is not valid YAML ({said.strip()})", "check this line and the one before"))
