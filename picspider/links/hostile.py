"""Pages made to keep a parser busy: what takes it quadratic time is flattened, what honest pages hold is not."""

from __future__ import annotations

import re

HARMLESS_CHARACTERS = 40_000
DEEPEST = 2_000
MOST_ATTRIBUTES = 1_000
LONG_TAG_CHARACTERS = 10_000

# Each of these looks through all open elements when it starts (HTML standard: has a p element in button scope).
_BLOCK = re.compile(
    r"<(/?)(?:address|article|aside|blockquote|center|details|dialog|dir|div|dl|fieldset|figure|figcaption|footer|"
    r"header|hgroup|main|menu|nav|ol|search|section|summary|ul|li|dd|dt|p|pre|listing|form|h[1-6]|hr|plaintext|xmp)"
    r"(?=[\s/>])",
    re.IGNORECASE,
)
_LONG_TAG = re.compile(rf"<[a-zA-Z][^<>]{{{LONG_TAG_CHARACTERS},}}")
_PARTS = re.compile(r"[\s/\"']+")


def tamed(text: str) -> str:
    """*text* itself, but when thousands of blocks stand inside each other, or thousands of attributes in one tag.

    Then the blocks become spans (which browsers cut off at a depth of 512 as well), and the tag is cut.
    """
    if len(text) < HARMLESS_CHARACTERS:
        return text
    text = _LONG_TAG.sub(_cut, text)
    if text.count("<") - 2 * text.count("</") > DEEPEST and _depth(text) > DEEPEST:
        return _BLOCK.sub(r"<\1span", text)
    return text


def _depth(text: str) -> int:
    depth = deepest = 0
    for block in _BLOCK.finditer(text):
        depth = max(depth - 1, 0) if block[1] else depth + 1
        deepest = max(deepest, depth)
    return deepest


def _cut(tag: re.Match[str]) -> str:
    parts = _PARTS.findall(tag[0])
    return tag[0] if len(parts) <= MOST_ATTRIBUTES else " ".join(tag[0].split()[: MOST_ATTRIBUTES // 2])
