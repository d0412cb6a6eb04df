"""The links of a page with what tells layers apart: what they promise, and where they stand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import urlsplit

from picspider.errors import Failed
from picspider.links.looks import PICTURE_ENDING
from picspider.urls import resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from picspider.links.link import Link
    from picspider.links.page import Page

Role = Literal["page", "picture", "other"]

_NO_PAGE = re.compile(
    r"\.(?:css|m?js|json|xml|rss|atom|txt|pdf|zip|gz|tgz|tar|7z|py|ipynb|svgz?|ico|map|mp[34]|webm|og[gv]|mov|avi|mkv"
    r"|woff2?|ttf|otf|eot|exe|deb|md|epub|inv|csv|docx?|odt|webmanifest)$",
    re.IGNORECASE,
)
_SHOWN = frozenset(("src", "srcset", "lazy", "lazy-list", "style", "meta"))
_NOT_SHOWN_BY = frozenset(("script", "link", "iframe", "frame", "embed", "object", "video", "audio", "track"))
_WRITTEN = re.compile(r"""\b(?:href|src)\s*=\s*\\?(["'])(?P<url>[^"'<>\\\s]+)\\?\1""", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")


class Spot(NamedTuple):
    """One link of a page.

    `place`: the elements from the top down to it, numbers left out; `picture`: not 0 for the sizes of one picture;
    `origin`: as in `Link`, or `written` for one that a script writes into the page.
    """

    url: str
    role: Role
    origin: str
    place: tuple[str, ...]
    text: str = ""
    picture: int = 0
    hidden: bool = False


def spots_of(page: Page) -> list[Spot]:
    """The links of *page* in document order, then those that only its scripts write. Places on the page left out."""
    found = [_spot(link, tag, place) for link, tag, place in page.placed() if link.url.startswith("http")]
    known = {spot.url for spot in found}
    return [*(spot for spot in found if spot.url != page.url), *_written(page, known)]


def path_end(url: str) -> str:
    """The path of *url*, in which its ending stands."""
    return urlsplit(url).path


def is_picture_name(url: str) -> bool:
    """Whether *url* ends like a picture's file."""
    return PICTURE_ENDING.search(path_end(url)) is not None


def _spot(link: Link, tag: str, place: tuple[str, ...]) -> Spot:
    plain = tuple(plain_step(step) for step in place)
    role = role_of(link, tag)
    return Spot(link.url, role, link.origin, plain, link.text, link.group, link.hidden)


def plain_step(step: str) -> str:
    """A step of a place without an id or classes that have numbers: those differ from one to the next."""
    tag, *names = re.split(r"(?=[#.])", step)
    return "".join((tag, *sorted(name for name in names if not _DIGITS.search(name))))


def role_of(link: Link, tag: str) -> Role:
    """What a link promises to be, by where it stands and how it ends."""
    path = path_end(link.url)
    if _NO_PAGE.search(path):
        return "other"
    if link.origin in ("refresh", "frame"):
        return "page"
    if tag == "link" and link.origin == "href":
        return "other"
    if PICTURE_ENDING.search(path):
        return "picture"
    if link.origin in _SHOWN:
        return "other" if tag in _NOT_SHOWN_BY or (tag == "meta" and not PICTURE_ENDING.search(path)) else "picture"
    return "page"


def _written(page: Page, known: set[str]) -> Iterator[Spot]:
    """What the source writes as href= or src= though it is no link: markup in the strings of scripts."""
    if "<script" not in page.text.lower():
        return
    for match in _WRITTEN.finditer(page.text):
        try:
            url = resolve(page.base_url, match["url"], page.encoding)
        except Failed:
            continue
        if url.startswith("http") and url not in known and "#" not in match["url"][:1] and "+" not in match["url"]:
            known.add(url)
            role: Role = "picture" if is_picture_name(url) else "other" if _NO_PAGE.search(path_end(url)) else "page"
            yield Spot(url, role, "written", ("script",))
