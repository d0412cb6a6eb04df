"""What is wrong and what to do, for each kind of error that the model can raise."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from picspider.config.section import NO_VALUE
from picspider.config.yaml_tree import Node
from picspider.errors import nearest

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_NUMBER = ("wants a number", "write it without quotes, such as 30")
_WHOLE = ("wants a whole number", "write it without quotes, such as 8")
_KEYS = ("wants keys with values below it", "write `key: value` lines, indented, with a space after each colon")
_LIST = ("wants a list", "write [one, two], or one item a line, each after a dash and a space")
_WORDS: dict[str, tuple[str, str]] = {
    "int_type": _WHOLE,
    "int_from_float": _WHOLE,
    "int_parsing": _WHOLE,
    "float_type": _NUMBER,
    "finite_number": ("wants a finite number", "write one, such as 30"),
    "bool_type": ("wants true or false", "write true or false, without quotes"),
    "model_type": _KEYS,
    "model_attributes_type": _KEYS,
    "dict_type": _KEYS,
    "mapping_type": _KEYS,
    "tuple_type": _LIST,
    "greater_than_equal": ("is too small", "write {ge:g} or more"),
    "greater_than": ("is too small", "write more than {gt:g}"),
    "less_than_equal": ("is too large", "write {le:g} or less"),
    "less_than": ("is too large", "write less than {lt:g}"),
    "string_too_short": ("is empty", "write a text"),
    "string_too_long": ("is too long", "write at most {max_length} characters"),
}


def said(error: ErrorDetails, node: Node | None) -> tuple[str, str]:
    """What is wrong, and what to do (possibly nothing), for an error at *node* (None: it is not in the file)."""
    context = error.get("ctx") or {}
    kind = error["type"]
    if kind == "picspider":
        return str(context.get("what") or error["msg"]), str(context.get("advice", ""))
    if kind.endswith("_type") and node is not None and node.children is None and node.scalar is None:
        return NO_VALUE
    if kind == "value_error":
        what = str(context["error"])
        return (what if node is None else what.removesuffix(f": {node.written!r}")), ""
    if kind == "literal_error":
        return _not_a_choice(str(context["expected"]), node)
    if kind == "string_type":
        return _not_a_text(node)
    what, advice = _WORDS.get(kind, (error["msg"], ""))
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
