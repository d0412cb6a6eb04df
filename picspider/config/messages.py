"""All words about a wrong config: `file:line: key: what is wrong: value: what to do`, one line each.

Secrets (passwords, cookies, headers, proxies, database addresses) are never shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from picspider.config.keys import keys_at, places_of
from picspider.config.problem import Problem
from picspider.config.section import Section
from picspider.config.yaml_tree import Node
from picspider.errors import ConfigError

_SECRET_SECTIONS = ("auth", "cookies", "headers", "proxy", "store")
_SECRET_NAME = re.compile(r"pass|pwd|secret|token|cookie|auth|session|credential|api_?key", re.IGNORECASE)
_USER_INFO = re.compile(r"(?<=://)[^/@\s]+@")
_MAX_SHOWN = 80
Location = Sequence[str | int]


def refusal(problems: Iterable[Problem]) -> ConfigError:
    """The exception that tells all *problems*, in the order of the file."""
    unique = dict.fromkeys(problems)
    return ConfigError("\n".join(worded(problem) for problem in sorted(unique, key=_by_line)))


def worded(problem: Problem) -> str:
    """One problem in one line."""
    parts = (problem.place, problem.key, problem.what, problem.value, problem.advice)
    return ": ".join(part for part in parts if part)


def _by_line(problem: Problem) -> tuple[bool, int]:
    line = problem.place.rpartition(":")[2]
    return (not line.isdigit(), int(line) if line.isdigit() else 0)


def shown(key: str, node: Node | None) -> str:
    """The value of *node* as it may be shown; empty for lists and mappings."""
    if node is None or node.children is not None:
        return ""
    if any(part in _SECRET_SECTIONS or _SECRET_NAME.search(part) for part in re.split(r"[.\[\]]+", key)):
        return "(not shown)"
    text = _USER_INFO.sub("(not shown)@", node.written)
    text = text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"
    return repr(text) if isinstance(node.scalar, str) else text


def problem_of(error: Any, root: Node, model: type[Section], name: str) -> Problem:
    """The problem that one entry of pydantic's `ValidationError.errors()` tells."""
    location = [part for part in error["loc"] if not str(part).startswith("<")]
    node, place = _find(root, location, name)
    key = dotted(location)
    if error["type"] == "extra_forbidden":
        place, advice = _unknown_key(root, location, place, model)
        return Problem(place, key, "unknown key", shown(key, node), advice)
    what, advice = _said(error, node)
    if error["type"] == "missing":
        parent, place = _find(root, location[:-1], name)
        return Problem(place, key, what, "", advice or f"add `{location[-1]}: …`")
    key, node = _named_in(what, key, node, root)
    return Problem(node.place if node else place, key, what, shown(key, node), advice)


def dotted(location: Location) -> str:
    """('layers', 0, 'links') as layers[0].links."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location).removeprefix(".")


def _find(root: Node, location: Location, name: str) -> tuple[Node | None, str]:
    """The node at *location* (None if it is not there) and the place of it or of what it should stand in."""
    node, place = root, name
    for part in location:
        children = node.children or {}
        if part not in children:
            return (node if node.children is None else None), place
        place = node.key_places.get(str(part), children[part].place)
        node = children[part]
    return node, node.place if node is not root else place


def _named_in(what: str, key: str, node: Node | None, root: Node) -> tuple[str, Node | None]:
    """Checks across keys name the key first: `pictures.name uses …`."""
    return key, node if key else None


def _unknown_key(root: Node, location: Location, place: str, model: type[Section]) -> tuple[str, str]:
    parent, name = location[:-1], str(location[-1])
    above, _ = _find(root, parent, place)
    if above is not None:
        place = above.key_places.get(name, place)
    known = keys_at(model, parent)
    near = get_close_matches(name.lower().replace("-", "_"), known, 1, 0.6)
    if near:
        return place, f"did you mean {near[0]}?"
    elsewhere = places_of(model, name)
    if elsewhere:
        return place, f"it belongs to {elsewhere[0]}"
    return place, f"known here: {', '.join(known)}" if known else "remove it"


def _said(error: Any, node: Node | None) -> tuple[str, str]:
    """What is wrong and what to do, for each kind of error that the model can raise."""
    context = error.get("ctx") or {}
    kind: str = error["type"]
    if kind == "picspider":
        return context.get("what") or error["msg"], context.get("advice", "")
    if kind == "literal_error":
        return _not_a_choice(context["expected"], node)
    if kind == "string_type":
        return _not_a_text(node)
    if kind in _WORDS:
        what, advice = _WORDS[kind]
        return what.format(**context), advice.format(**context)
    return error["msg"], ""


def _not_a_choice(expected: str, node: Node | None) -> tuple[str, str]:
    choices = re.findall(r"'([^']*)'", expected)
    near = get_close_matches(str(node.written).lower(), choices, 1, 0.5) if node is not None else []
    return "is no known choice", f"did you mean {near[0]}?" if near else f"write {', '.join(choices)}"


def _not_a_text(node: Node | None) -> tuple[str, str]:
    if node is None or node.children is not None:
        return f"wants a text, not a {_kind(node)}", "write one text"
    if node.scalar is None:
        return "has no value", "write one, or remove the key"
    kind = "true or false (a boolean)" if isinstance(node.scalar, bool) else "a number"
    return f"wants a text, but without quotes this is {kind}", f"put it in quotes: '{node.written}'"


def _kind(node: Node | None) -> str:
    if node is None or node.children is None:
        return "single value"
    return "list" if node.is_list else "mapping"


_NUMBER = ("wants a number", "write it without quotes, such as 30")
_WHOLE = ("wants a whole number", "write it without quotes, such as 8")
_MAPPING = ("wants keys with values below it", "write `key: value` lines, indented, with a space after each colon")
_LIST = ("wants a list", "write [one, two], or one item a line, each after a dash and a space")
_WORDS: dict[str, tuple[str, str]] = {
    "missing": ("is missing", ""),
    "int_type": _WHOLE,
    "int_from_float": _WHOLE,
    "int_parsing": _WHOLE,
    "float_type": _NUMBER,
    "finite_number": ("wants a finite number", "write one, such as 30"),
    "bool_type": ("wants true or false", "write true or false, without quotes"),
    "model_type": _MAPPING,
    "model_attributes_type": _MAPPING,
    "dict_type": _MAPPING,
    "mapping_type": _MAPPING,
    "tuple_type": _LIST,
    "list_type": _LIST,
    "greater_than_equal": ("is too small", "write {ge} or more"),
    "greater_than": ("is too small", "write more than {gt}"),
    "less_than_equal": ("is too large", "write {le} or less"),
    "less_than": ("is too large", "write less than {lt}"),
    "too_short": ("is empty", "write at least {min_length}"),
    "string_too_short": ("is empty", "write a text"),
    "string_too_long": ("is too long", "write at most {max_length} characters"),
}
WORDED: Callable[[Problem], str] = worded
