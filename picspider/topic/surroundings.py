"""The text around a link: its block, and the labels of the lists that the block is in."""

from __future__ import annotations

from selectolax.lexbor import LexborNode

CONTEXT_CHARACTERS = 300
LABEL_CHARACTERS = 80
SIBLINGS = 5
WRAPPERS = 3
_BLOCKS = frozenset({"p", "li", "td", "th", "dd", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "figure", "caption", "div"})
_LISTS = frozenset({"ul", "ol", "dl"})
_WRAPPERS = frozenset({"dd", "li", "div", "section"})


class Surroundings:
    """Reads the surroundings of the links of one page; what several links share is read once."""

    def __init__(self) -> None:
        # element → its nearest block (0: none), and the labels of the lists around it
        self._around: dict[int, tuple[int, str]] = {0: (0, "")}
        self._blocks: dict[int, LexborNode] = {}
        self._texts: dict[int, str] = {0: ""}

    def of(self, link: LexborNode, text: str) -> str:
        """Of the link's block the part where *text* stands, then the labels of the lists around it, innermost first.

        In a table of contents the label of a nested list is the chapter that it belongs to; of a list under a
        heading, that heading.
        """
        block, labels = self._climb(link.parent)
        if block not in self._texts:
            self._texts[block] = folded(self._blocks[block])
        return f"{_part(self._texts[block], text)} {labels}".strip()

    def _climb(self, node: LexborNode | None) -> tuple[int, str]:
        """Up to the first ancestor that is known, then note down all that were passed. Not recursive: pages nest."""
        passed: list[LexborNode] = []
        while node is not None and node.mem_id not in self._around:
            passed.append(node)
            node = node.parent
        block, labels = self._around[node.mem_id if node is not None else 0]
        for inner in reversed(passed):
            if inner.tag in _BLOCKS:
                block = inner.mem_id
                self._blocks[block] = inner
            elif inner.tag in _LISTS:
                labels = f"{_text_before(inner)} {labels}".strip()[:CONTEXT_CHARACTERS]
            self._around[inner.mem_id] = block, labels
        return block, labels


def folded(node: LexborNode | None) -> str:
    """The text of *node* with its white space folded; nothing for no node."""
    return " ".join(node.text(separator=" ").split()) if node else ""


def _text_before(node: LexborNode) -> str:
    """The text next before a list: of a sibling close before it, else before its wrapper, up to three of them."""
    for _ in range(WRAPPERS):
        before = node.prev
        for _ in range(SIBLINGS):
            if before is None or before.tag in _LISTS:
                break
            text = folded(before)
            if text:
                return text[-LABEL_CHARACTERS:]
            before = before.prev
        if before is not None or node.parent is None or node.parent.tag not in _WRAPPERS:
            break
        node = node.parent
    return ""


def _part(block: str, text: str) -> str:
    """Of a long *block*, the part where *text* stands."""
    if len(block) <= CONTEXT_CHARACTERS:
        return block
    start = max(0, block.find(text) + (len(text) - CONTEXT_CHARACTERS) // 2)
    return block[start : start + CONTEXT_CHARACTERS]
