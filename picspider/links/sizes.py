"""Of several sizes of one picture the largest: what a srcset declares, what a link leads to from its thumbnail."""

from __future__ import annotations

from collections.abc import Iterable

from picspider.links.link import Link

# Without declared widths: the link around a picture leads to the large one, lazy loading to the real one.
_RANK = {"href": 3, "srcset": 2, "lazy": 2, "src": 1}


def largest(links: Iterable[Link]) -> tuple[list[Link], list[Link]]:
    """(chosen, set aside), both in order, of links that all match one rule.

    Of the links of one `group` the best stays: an href around the picture, else the widest srcset, lazy loading, src.
    Several of the same rank without a width stay all: nothing tells which is larger.
    """
    links = list(links)
    best: dict[int, tuple[int, int]] = {}
    for link in links:
        if link.group:
            best[link.group] = max(best.get(link.group, (0, 0)), _size(link))
    chosen: list[Link] = []
    aside: list[Link] = []
    for link in links:
        (chosen if not link.group or _size(link) == best[link.group] else aside).append(link)
    return chosen, aside


def _size(link: Link) -> tuple[int, int]:
    return _RANK.get(link.origin, 1), link.width
