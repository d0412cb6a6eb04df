"""The pictures of a page that no rule of layers names: those that look large."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from picspider.links.looks import PICTURE_ENDING
from picspider.links.sizes import largest
from picspider.strategy.link_kinds import path_of

if TYPE_CHECKING:
    from picspider.links.candidate import Candidate
    from picspider.links.link import Link
    from picspider.links.page import Page

# What is shown smaller than this is a button or an icon; a thumbnail is larger, and its link leads to the picture.
ICON_PIXELS = 64
_SHOWN = frozenset(("img", "source", "picture"))
_PIXELS = re.compile(r"\s*(\d{1,5})\s*(?:px)?\s*\Z")
_ICON = re.compile(r"(?:\A|[/_.-])(?:icons?|favicon|sprites?|spacer|logo)(?:[/_-]|\d*\.\w+\Z)", re.IGNORECASE)


def large_pictures(page: Page) -> list[Link]:
    """Pictures shown on *page* (src, srcset, lazy loading) and picture files that it links, in document order.

    Of several sizes of one picture the largest; none that is shown small, or called icon, logo or sprite. What their
    bytes say is the filters' business.
    """
    links = page.where(accept=_shows_picture, wanted=_is_fetched)
    links = [link for link in links if link.origin != "href" or PICTURE_ENDING.search(path_of(link.url))]
    chosen, _ = largest(links)
    found: dict[str, Link] = {}
    for link in chosen:
        found.setdefault(link.url, link)
    return list(found.values())


def _shows_picture(candidate: Candidate) -> bool:
    if candidate.origin == "href":
        return candidate.tag in ("a", "area")
    return candidate.tag in _SHOWN and not any(
        (pixels := _PIXELS.match(candidate.attributes.get(side) or "")) and int(pixels[1]) < ICON_PIXELS
        for side in ("width", "height")
    )


def _is_fetched(url: str) -> bool:
    path = path_of(url)
    return (
        url.startswith(("http://", "https://"))
        and not path.lower().endswith((".svg", ".svgz", ".ico"))
        and not (_ICON.search(path.partition("://")[2].partition("/")[2]))
    )
