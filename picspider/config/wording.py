"""What is wrong and what to do, for each kind of error that the model can raise."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from picspider.config.section import NO_VALUE
from picspider.config.yaml_tree import Node
from picspider.errors import nearest

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_NUMBER = ("wants a number", "write one, such as 30")
_WHOLE = ("wants a whole number", "write one, such as 8")
_UNQUOTED = {_NUMBER: "write it without quotes, such as 30", _WHOLE: "write it without quotes, such as 8"}
_DIGITS = re.compile(r"\s*[-+]?[\d.,_]+\s*")
_FLAG = ("wants true or false", "write true or false, without quotes")
_KEYS = ("wants keys with values below it", "write `key: value` lines, indented, with a space after each colon")
_LIST = ("wants a list", "write [one, two], or one item a line, each after a dash and a space")
_WORDS: dict[str, tuple[str, str]] = {
    "int_type": _WHOLE,
    "int_from_float": _WHOLE,
    "int_parsing": _WHOLE,
    "int_parsing_size": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": ("wants a finite number", "write one, such as 30"),
    "bool_type": _FLAG,
    "bool_parsing": _FLAG,
    "model_type": _KEYS,
    "model_attributes_type": _KEYS,
    "dict_type": _KEYS,
    "mapping_type": _KEYS,
    "tuple_type": _LIST,
    "list_type": _LIST,
    "set_type": _LIST,
    "frozen_set_type": _LIST,
    "greater_than_equal": ("is too small", "write {ge:g} or more"),
    "greater_than": ("is too small", "write more than {gt:g}"),
    "less_than_equal": ("is too large", "write {le:g} or less"),
    "less_than": ("is too large", "write less than {lt:g}"),
    "multiple_of": ("does not fit", "write a multiple of {multiple_of:g}"),
    "string_too_short": ("is too short", "write at least {min_length} characters"),
    "string_too_long": ("is too long", "write at most {max_length} characters"),
    "string_pattern_mismatch": ("does not fit", "write a text that the regex {pattern} matches"),
    "too_short": ("has too few items", "write at least {min_length}"),
    "too_long": ("has too many items", "write at most {max_length}"),
}


def said(error: ErrorDetails, node: Node | None) -> tuple[str, str]:
    """What is wrong, and what to do (possibly nothing), for an error at *node* (None: it is not in the file)."""
    context = error.get("ctx") or {}
    kind = error["type"]
    if kind == "picspider":
        return str(context.get("what") or error["msg"]), str(context.get("advice", ""))
    if kind.endswith("_type") and node is not None and node.children is None and node.scalar is None:
        return NO_VALUE
    if kind.startswith("string_") and node is not None and not node.written.strip():
        return "is empty", "write a text"
    if kind in ("value_error", "assertion_error"):
        what = str(context["error"])
        return (what if node is None else what.removesuffix(f": {node.written!r}")), ""
    if kind == "string_type":
        return _not_a_text(node)
    return _worded(error, node)


def _worded(error: ErrorDetails, node: Node | None) -> tuple[str, str]:
    """By the table; what is not in it says what pydantic says."""
    context = error.get("ctx") or {}
    if error["type"] in ("literal_error", "enum"):
        return _not_a_choice(str(context["expected"]), node)
    if error["type"] not in _WORDS:
        said_by_pydantic = error["msg"].removeprefix("Input ")
        return said_by_pydantic[:1].lower() + said_by_pydantic[1:], ""
    what, advice = _WORDS[error["type"]]
    if node is not None and isinstance(node.scalar, str) and _DIGITS.fullmatch(node.written):
        advice = _UNQUOTED.get((what, advice), advice)
    return what, advice.format(**context)


def _not_a_choice(expected: str, node: Node | None) -> tuple[str, str]:
    choices = re.findall(r"'([^']*)'", expected)
    choices = choices or [expected.lower()]  # no texts, such as true
    near = nearest(node.written, choices) if node is not None else None
    return "is no known choice", f"did you mean {near}?" if near else f"write {' or '.join(choices)}"


def _not_a_text(node: Node | None) -> tuple[str, str]:
    if node is None or node.children is not None:
        return f"wants a text, not a {'list' if node is not None and node.is_list else 'mapping'}", "write one text"
    kind = "true or false (a boolean)" if isinstance(node.scalar, bool) else "a number"
    return f"wants a text, but without quotes this is {kind}", "put it in single quotes"
