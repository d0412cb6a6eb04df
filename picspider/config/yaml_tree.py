"""YAML read safely into a tree that knows the line of every key.

Nothing is built but texts, numbers, flags, nulls, lists and mappings. The size, the depth, and what aliases may
unfold to are bounded. `no`, `on`, `yes` are flags as in YAML 1.1; numbers are read as in YAML 1.2, so that 0123,
1:30 and 2024-01-01 stay texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import yaml

from picspider.config.problem import Problem, Refused
from picspider.config.yaml_syntax import CONTROL, syntax_problem

MAX_DEPTH = 20
MAX_UNFOLDED = 10_000
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FLAGS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_WHOLE = re.compile(r"-?(0|[1-9]\d{0,17})")
_FRACTION = re.compile(r"-?(0|[1-9]\d*)(\.\d*)?([eE][-+]?\d{1,3})?")
_LIST_ITEM = re.compile(r"\S - \S")
_PLAIN_TAGS = {f"tag:yaml.org,2002:{name}": name for name in ("str", "int", "float", "bool", "null", "map", "seq")}

Plain: TypeAlias = "str | int | float | bool | list[Plain] | dict[str, Plain] | None"


@dataclass(slots=True)
class Node:
    """A value and where it stands. `children` by key or index; `key_places` says where each key stands.

    `size` counts the nodes that it unfolds to; `written` is a scalar as it stands in the file.
    """

    place: str
    scalar: str | int | float | bool | None = None
    written: str = ""
    children: dict[str | int, Node] | None = None
    is_list: bool = False
    key_places: dict[str, str] = field(default_factory=dict)
    size: int = 1

    def plain(self) -> Plain:
        """The value without places."""
        if self.children is None:
            return self.scalar
        if self.is_list:
            return [child.plain() for child in self.children.values()]
        return {str(key): child.plain() for key, child in self.children.items()}


def read_tree(text: str, name: str) -> tuple[Node | None, list[Problem]]:
    """The tree of *text* (None when it is empty) and what is wrong with it but could be passed over.

    Raises Refused with the problem when it cannot be read.
    """
    reader = _Reader(name, yaml.parse(text, Loader=_LOADER))
    try:
        return reader.document(), reader.problems
    except yaml.YAMLError as error:
        raise Refused(syntax_problem(error, text, name)) from None


class _Reader:
    """Builds the tree from the parser's events, which come one by one, so that a bomb is never held."""

    def __init__(self, name: str, events: Iterator[yaml.Event]) -> None:
        self.name = name
        self.events = events
        self.anchors: dict[str, Node | None] = {}
        self.problems: list[Problem] = []
        self.unfolded = 0

    def place(self, event: yaml.Event) -> str:
        assert event.start_mark is not None
        return f"{self.name}:{event.start_mark.line + 1}"

    def refuse(self, event: yaml.Event, what: str, advice: str = "", key: str = "") -> Refused:
        return Refused(Problem(self.place(event), key, what, "", advice))

    def document(self) -> Node | None:
        root = None
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                if root is not None:
                    raise self.refuse(event, "a second document begins", "remove the line with ---")
            elif isinstance(event, yaml.NodeEvent):
                root = self.node(event, 0, "")
        empty = root is None or (root.children is None and root.scalar is None)
        return None if empty else root

    def node(self, event: yaml.Event, depth: int, key: str) -> Node:
        if depth > MAX_DEPTH:
            raise self.refuse(event, f"is nested more than {MAX_DEPTH} deep", "a config needs no such depth", key)
        if isinstance(event, yaml.AliasEvent):
            return self.alias(event, key)
        assert isinstance(event, (yaml.ScalarEvent, yaml.CollectionStartEvent))
        if event.anchor:
            self.anchors[event.anchor] = None
        self.check_tag(event, key)
        if isinstance(event, yaml.ScalarEvent):
            node = Node(self.place(event), self.scalar(event, key), event.value)
        else:
            is_list = isinstance(event, yaml.SequenceStartEvent)
            node = Node(self.place(event), children={}, is_list=is_list)
            (self.fill_list if is_list else self.fill_mapping)(node, depth, key)
        if event.anchor:
            self.anchors[event.anchor] = node
        return node

    def alias(self, event: yaml.AliasEvent, key: str) -> Node:
        node = self.anchors.get(event.anchor or "")
        if node is None:
            what = (
                "refers to itself"
                if event.anchor in self.anchors
                else "begins with *, which refers to an anchor that is not there"
            )
            raise self.refuse(event, what, "a text that begins with * is written in single quotes", key)
        self.unfolded += node.size
        if self.unfolded > MAX_UNFOLDED:
            raise self.refuse(event, "aliases unfold to too much", "write the values out", key)
        return node

    def check_tag(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent, key: str) -> None:
        if event.tag and event.tag != "!" and event.tag not in _PLAIN_TAGS:
            name = event.tag.replace("tag:yaml.org,2002:", "!!")
            advice = "nothing but texts, numbers, lists and mappings; a text that begins with ! is written in quotes"
            raise self.refuse(event, f"has the tag {name[:80]}, which is not allowed", advice, key)

    def scalar(self, event: yaml.ScalarEvent, key: str) -> str | int | float | bool | None:
        value: str = event.value
        if found := CONTROL.search(value):
            what = f"holds the control character {found[0]!r}, as an escape in double quotes makes it"
            self.problems.append(Problem(self.place(event), key, what, "", "write it in single quotes"))
        if not event.style and _LIST_ITEM.search(value):
            what = "holds what looks like the next item of the list"
            self.problems.append(Problem(self.place(event), key, what, "", "indent the items of a list alike"))
        if event.tag:
            return value if event.tag == "!" or _PLAIN_TAGS[event.tag] == "str" else _resolved(value)
        return _resolved(value) if event.implicit[0] else value

    def fill_list(self, node: Node, depth: int, key: str) -> None:
        assert node.children is not None
        for event in self.events:
            if isinstance(event, yaml.SequenceEndEvent):
                return
            at = len(node.children)
            child = self.node(event, depth + 1, f"{key}[{at}]")
            node.children[at] = child
            node.size += child.size

    def fill_mapping(self, node: Node, depth: int, key: str) -> None:
        assert node.children is not None
        merged: list[Node] = []
        for event in self.events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            if not isinstance(event, yaml.ScalarEvent):
                raise self.refuse(
                    event, "has a key that is no text", "a key is one word; quote texts in [ ] or { }", key
                )
            name, place = event.value, self.place(event)
            inside = f"{key}.{name}" if key else name
            child = self.node(next(self.events), depth + 1, inside)
            node.size += child.size
            if name == "<<" and not event.style:
                merged.append(child)
            elif name in node.children:
                self.problems.append(
                    Problem(
                        place,
                        inside,
                        f"the key stands twice, first in line {_line(node.key_places[name])}",
                        "",
                        "keep one of them",
                    )
                )
            else:
                node.children[name], node.key_places[name] = child, place
        for child in merged:
            self.merge(node, child, key)

    def merge(self, node: Node, source: Node, key: str) -> None:
        """`<<: *anchor`: what the mapping does not say itself."""
        assert node.children is not None
        for one in list((source.children or {}).values()) if source.is_list else [source]:
            if one.children is None or one.is_list:
                raise Refused(Problem(source.place, key, "<< wants a mapping", "", "write <<: *name"))
            for name, child in one.children.items():
                if name not in node.children:
                    node.children[name] = child
                    node.key_places[str(name)] = one.key_places[str(name)]


def _line(place: str) -> str:
    return place.rpartition(":")[2]


def _resolved(text: str) -> str | int | float | bool | None:
    """A scalar without quotes."""
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text.lower() in _FLAGS and text in (text.lower(), text.upper(), text.capitalize()):
        return _FLAGS[text.lower()]
    if _WHOLE.fullmatch(text):
        return int(text)
    if _FRACTION.fullmatch(text):
        return float(text)
    return text
