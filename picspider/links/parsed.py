"""A page read by the parser: right for any input."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from selectolax.lexbor import LexborNode

from picspider.links.candidate import ALONE, ANCHORS, READ, UNSEEN, Candidate, compacted, link_of, own_words_begin
from picspider.links.labels import LABELS, Attributes, Reading, is_disabled, is_hidden, picture_of, read
from picspider.links.link import Link
from picspider.links.tree import Tree

LARGE_CHARACTERS = 200_000
FARTHEST_ANCHOR = 6
DEEPEST_PLACE = 40


class Parsed:
    """A `Document` on top of a `Tree`."""

    def __init__(self, text: str) -> None:
        self.tree = Tree(text)
        self.candidates: list[Candidate] = []
        self._nodes: list[LexborNode] = []
        self.tree.collect(self.candidates, self._nodes)
        self._text = text
        self._last_seen: tuple[int, Reading, int] | None = None

    # What need not be looked for around each link of most pages.
    @cached_property
    def _may_disable(self) -> bool:
        return "disabled" in self._text.lower()

    @cached_property
    def _may_hide(self) -> bool:
        text = self._text.lower()
        return "hidden" in text or "none" in text

    def base(self) -> str | None:
        """See `Document`."""
        return self.tree.base()

    def within(self, css: str) -> list[int]:
        """The candidates on elements that *css* selects or that stand inside of one; ValueError when it is no CSS."""
        inside: set[int] = set()
        for top in self.tree.select(css):
            if top.mem_id not in inside:
                inside.update(node.mem_id for node in top.traverse())
        return [index for index, node in enumerate(self._nodes) if node.mem_id in inside]

    def place(self, index: int) -> tuple[str, ...]:
        """Where the candidate stands: the elements from the top down to its own, each as `tag#id.class`."""
        node: LexborNode | None = self._nodes[index]
        steps: list[str] = []
        while node is not None and node.tag and node.tag[0] not in "-#" and len(steps) < DEEPEST_PLACE:
            steps.append(_step(node))
            node = node.parent
        return tuple(reversed(steps))

    def describe(self, index: int, url: str, groups: dict[int, int]) -> Link:
        """See `Document`."""
        candidate, node = self.candidates[index], self._nodes[index]
        tag, attributes, origin = candidate.tag, candidate.attributes, candidate.origin
        if tag in UNSEEN:
            return Link(url, origin=origin)
        reading, picture = self._see(node, tag, attributes)
        group = 0 if origin in ALONE else groups.setdefault(picture, len(groups) + 1)
        link = link_of(candidate, url, reading, group)
        if tag not in ANCHORS:
            return link
        if self._may_disable and is_disabled(node, attributes):
            link = link._replace(disabled=True)
        return link._replace(hidden=True) if self._may_hide and is_hidden(node, attributes) else link

    def _see(self, node: LexborNode, tag: str, attributes: Attributes) -> tuple[Reading, int]:
        """`read` and `picture_of`, once for all the references of one element."""
        seen = self._last_seen
        if seen is None or seen[0] != node.mem_id:
            seen = self._last_seen = node.mem_id, read(node, attributes), picture_of(node, tag)
        return seen[1:]

    def related(self) -> Iterable[int]:
        """See `Document`."""
        return (index for index, candidate in enumerate(self.candidates) if "rel" in candidate.attributes)

    def beginning_with(self, compact: str) -> Iterable[int]:
        """See `Document`."""
        labelled = self._labelled(compact)
        begun: dict[tuple[int, bool], bool] = {}  # an element may have several candidates
        for index, candidate in enumerate(self.candidates):
            if candidate.tag in UNSEEN:
                continue
            node = self._nodes[index]
            is_read = candidate.tag in READ or candidate.origin == "script"
            key = node.mem_id, is_read
            if key not in begun:
                begun[key] = (
                    node.mem_id in labelled
                    or own_words_begin(candidate, compact)
                    or (is_read and self._text_begins(node, compact))
                )
            if begun[key]:
                yield index

    def _text_begins(self, node: LexborNode, compact: str) -> bool:
        text = read(node, {}).text if len(self._text) > LARGE_CHARACTERS else node.text()
        return compacted(text).startswith(compact)

    def _labelled(self, compact: str) -> set[int]:
        """The elements whose own labels begin with *compact*, and the links and buttons around them."""
        found: set[int] = set()
        for node in self.tree.select("[title],[aria-label],[alt]"):
            attributes = node.attributes
            if any(compacted(attributes.get(name) or "").startswith(compact) for name in LABELS):
                found.add(node.mem_id)
                around = node.parent
                for _ in range(FARTHEST_ANCHOR):
                    if around is None:
                        break
                    if around.tag in ANCHORS:
                        found.add(around.mem_id)
                        break
                    around = around.parent
        return found


def _step(node: LexborNode) -> str:
    attributes = node.attributes
    name = attributes.get("id")
    classes = (attributes.get("class") or "").split()
    return "".join((node.tag or "", f"#{name}" if name else "", *(f".{each}" for each in classes)))
