"""All words about a wrong config: `file:line: key: what is wrong: value: what to do`, one line each.

Secrets (`picspider.config.secrets`) are never shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from picspider.config.keys import nearest_key
from picspider.config.problem import Problem
from picspider.config.secrets import is_secret
from picspider.config.section import Section
from picspider.config.wording import said
from picspider.config.yaml_tree import Node
from picspider.errors import ConfigError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_USER_INFO = re.compile(r"[^/@\s]+:[^@\s]*@")
_MAX_SHOWN = 80
Location = Sequence[str | int]


def refusal(problems: Iterable[Problem]) -> ConfigError:
    """The exception that tells all *problems*, in the order of the file; of two at one place the first."""
    first: dict[tuple[str, str], Problem] = {}
    for problem in problems:
        first.setdefault((problem.place, problem.key), problem)
    return ConfigError("\n".join(worded(problem) for problem in sorted(first.values(), key=_by_line)))


def worded(problem: Problem) -> str:
    """One problem in one line."""
    key = "" if problem.place == f"option {problem.key}" else problem.key
    parts = (problem.place, key, problem.what, problem.value, problem.advice)
    return ": ".join(part for part in parts if part)


def problem_of(error: ErrorDetails, root: Node, model: type[Section], name: str) -> Problem:
    """The problem that one entry of pydantic's `ValidationError.errors()` tells.

    Parts of its location in <angle brackets> are names of union members, not keys.
    """
    context = error.get("ctx") or {}
    path = (*error["loc"], *context.get("below", ()))
    unknown = len(path) - 1 if error["type"] == "extra_forbidden" else None  # a key of the user's, whatever it is
    location = [part for at, part in enumerate(path) if at == unknown or not str(part).startswith("<")]
    node, place, left = _find(root, location, name)
    if node is not None and node.children is None and all(isinstance(part, int) for part in left):
        location = location[: len(location) - len(left)]  # one text that stands for a list of one
    elif left:
        node = None if node is None or node.children is not None else node
    key = dotted(location)
    if error["type"] == "extra_forbidden":
        value = shown(key, node)
        what = f"unknown key (its value: {value.strip('()')})" if value else "unknown key"
        return Problem(_place_of_key(root, location, name), key, what, "", nearest_key(model, location))
    if error["type"] == "missing":
        return Problem(place, key, "is missing", "", f"add `{location[-1]}: …`")
    what, advice = said(error, node)
    return Problem(place, key, what, shown(key, node), advice)


def shown(key: str, node: Node | None) -> str:
    """The value of *node* as it may be shown; empty for lists and mappings, and for nothing."""
    if node is None or node.children is not None or node.scalar is None:
        return ""
    if is_secret(key):
        return "(not shown)"
    text = _USER_INFO.sub("(not shown)@", node.written)
    text = text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"
    # What cannot be seen is escaped; backslashes stand as they do in a regex.
    return repr(text).replace("\\\\", "\\") if isinstance(node.scalar, str) else text


def dotted(location: Location) -> str:
    """('layers', 0, 'links') as layers[0].links."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location).removeprefix(".")


def _find(root: Node, location: Location, name: str) -> tuple[Node | None, str, Location]:
    """The last node on the way to *location*, its place, and the part of the way that is left."""
    node, place = root, name
    for at, part in enumerate(location):
        if node.children is None or part not in node.children:
            return node, place, location[at:]
        node = node.children[part]
        place = node.place
    return node, place, ()


def _place_of_key(root: Node, location: Location, name: str) -> str:
    parent, place, left = _find(root, location[:-1], name)
    return place if left or parent is None else parent.key_places.get(str(location[-1]), place)


def _by_line(problem: Problem) -> tuple[bool, int]:
    line = problem.place.rpartition(":")[2]
    return (not line.isdigit(), int(line) if line.isdigit() else 0)
