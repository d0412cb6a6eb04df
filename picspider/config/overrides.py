"""Values from the command line, put into the tree before it is checked: fetch.delay=2, output=DIR, entry=URL."""

from __future__ import annotations

import re
from collections.abc import Mapping

from picspider.config.problem import Problem, Refused
from picspider.config.yaml_tree import Node, read_tree

_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


def overridden(root: Node, overrides: Mapping[str, str]) -> Node:
    """*root* with each dotted key set to its value, a YAML scalar, list or mapping.

    Raises Refused for a key that leads through what is no section, or a value that is not YAML.
    """
    for key, value in overrides.items():
        _set(root, key, value)
    return root


def _set(root: Node, key: str, value: str) -> None:
    place = f"{key}={value}" if False else f"option {key}"
    steps: list[str | int] = [int(index) if index else name for name, index in _STEP.findall(key)]
    if not steps or "".join(match[0] for match in _STEP.finditer(key)) != key.replace(".", ""):
        raise Refused(Problem(place, "", "is not a key", "", "write it as fetch.delay=2"))
    node = root
    for step in steps[:-1]:
        if node.children is None or (isinstance(step, int) and step not in node.children):
            raise Refused(
                Problem(place, key, f"leads through `{step}`, which is not there", "", "name a key of the config")
            )
        if step not in node.children or node.children[step].children is None:
            node.children[step] = Node(place, children={})
        node = node.children[step]
    if node.children is None or (node.is_list and steps[-1] not in node.children):
        raise Refused(Problem(place, key, "is not there", "", "name a key of the config"))
    node.children[steps[-1]] = _value(value, place)
    node.key_places[str(steps[-1])] = place


def _value(text: str, place: str) -> Node:
    """A YAML value; what is no YAML (such as *.jpg) is taken as the text it is."""
    try:
        node, problems = read_tree(text, place)
    except Refused:
        return Node(place, text, text)
    if node is None or problems:
        return Node(place, None if not text.strip() else text, text)
    return _at(node, place)


def _at(node: Node, place: str) -> Node:
    node.place = place
    for key, child in (node.children or {}).items():
        node.key_places[str(key)] = place
        _at(child, place)
    return node
