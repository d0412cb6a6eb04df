"""Values from the command line, put into the tree before it is checked: fetch.delay=2, output=DIR, entry=URL."""

from __future__ import annotations

import re
from collections.abc import Mapping

from picspider.config.messages import dotted
from picspider.config.problem import Problem, Refused
from picspider.config.yaml_tree import Node, read_tree

_KEY = re.compile(r"[^.\[\]]+(\.[^.\[\]]+|\[\d{1,3}\])*")
_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")
_NULL = ("null", "Null", "NULL", "~")


def override(root: Node, overrides: Mapping[str, str]) -> None:
    """Set each dotted key in *root* to its value, a YAML scalar, list or mapping.

    Raises Refused for a key that leads through what is no section.
    """
    for key, value in overrides.items():
        place = f"option {key}"
        if not key:
            raise Refused(Problem("option", "", "has no key before the =", "", "write it as fetch.delay=2"))
        if not _KEY.fullmatch(key):
            raise Refused(Problem(place, "", "is not a key", "", "write it as fetch.delay=2"))
        if not _is_text(key + value):
            raise Refused(Problem(place, "", "holds bytes that are no UTF-8", "", "check the terminal's encoding"))
        steps = [int(index) if index else name for name, index in _STEP.findall(key)]
        parent = _section(root, steps[:-1], place)
        if parent.children is None or (parent.is_list and steps[-1] not in parent.children):
            raise Refused(Problem(place, "", "is not there", "", _there(parent, steps[-1], steps[:-1])))
        parent.children[steps[-1]] = _value(value, place)
        parent.key_places[str(steps[-1])] = place


def _is_text(given: str) -> bool:
    """False for what the system handed over without being able to decode it (PEP 383)."""
    return not any("\ud800" <= character <= "\udfff" for character in given)


def _section(node: Node, steps: list[str | int], place: str) -> Node:
    """The node at *steps*; sections that are not there yet are made."""
    for at, step in enumerate(steps):
        if node.children is None or (node.is_list and step not in node.children):
            advice = _there(node, step, steps[:at])
            raise Refused(Problem(place, "", f"leads through `{step}`, which is not there", "", advice))
        below = node.children.get(step)
        if below is not None and below.children is None and below.scalar is not None:
            raise Refused(
                Problem(place, "", f"leads into `{step}`, which is a single value", "", f"set {step} as a whole")
            )
        if below is None or below.children is None:
            below = node.children[step] = Node(place, children={})
        node = below
    return node


def _there(node: Node, step: str | int, above: list[str | int]) -> str:
    """What to write in place of *step* below *node*, which *above* leads to."""
    if not node.is_list or not node.children:
        return "name a key of the config"
    last = max(int(at) for at in node.children)
    if isinstance(step, str) and step.isdecimal() and int(step) <= last:
        return f"write it as {dotted([*above, int(step)])}, items of a list are counted from 0"
    return f"the items of this list are {dotted([*above, 0])}" + (f" to {dotted([*above, last])}" if last else "")


def _value(text: str, place: str) -> Node:
    """A YAML value; what is no YAML (such as *.jpg) is taken as the text it is."""
    if text.strip() in _NULL:
        return Node(place, None, text)
    try:
        node, problems = read_tree(text, place)
    except Refused:
        return Node(place, text, text)
    if node is None or problems:
        return Node(place, text or None, text)
    return _placed(node, place)


def _placed(node: Node, place: str) -> Node:
    node.place = place
    for key, child in (node.children or {}).items():
        node.key_places[str(key)] = place
        _placed(child, place)
    return node
