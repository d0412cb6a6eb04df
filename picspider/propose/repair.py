"""A rule that takes nothing any more, repaired by the links that it used to take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from picspider.learn import Learned, learn
from picspider.propose.form import Mould, split, spread
from picspider.propose.groups import Sheet, groups_of, promise
from picspider.propose.spot import Role

if TYPE_CHECKING:
    from picspider.links.page import Page

MOST_EXAMPLES = 40
MOST_OTHERS = 200
ENOUGH = 2


@dataclass(frozen=True, slots=True)
class Old:
    """A link that the rule took in an earlier crawl: its URL, and the text it had."""

    url: str
    text: str


@dataclass(frozen=True, slots=True)
class Repair:
    """A regex for the links that are now what the old ones were, and how they were recognised."""

    learned: Learned
    how: str


def repaired(pages: Sequence[Page], old: Sequence[Old], role: Role) -> Repair | None:
    """A rule for *pages*, whose old links were *old*; None when nothing on them is like those."""
    sheets = [Sheet.of(page) for page in pages]
    for how, found in (
        ("the addresses of earlier runs that are still there", _same(sheets, {each.url for each in old})),
        ("links with the same text", _same_text(sheets, {each.text for each in old if each.text}, role)),
        ("files of the same name", _same_name(sheets, {_name(each.url) for each in old} - {""}, role)),
        ("the likeliest group of links", _likeliest(sheets, role)),
    ):
        if len(found) >= min(ENOUGH, len(old)) and found:
            return Repair(_learned(sheets, found), how)
    return None


def _learned(sheets: Sequence[Sheet], found: Iterable[str]) -> Learned:
    wanted = list(dict.fromkeys(found))
    mould = Mould.of(wanted)
    others = {url for sheet in sheets for url in sheet.urls if url not in wanted and not mould.fits(url)}
    return learn(spread(wanted, MOST_EXAMPLES), spread(sorted(others), MOST_OTHERS))


def _same(sheets: Sequence[Sheet], urls: set[str]) -> list[str]:
    return [spot.url for sheet in sheets for spot in sheet.spots if spot.url in urls]


def _same_text(sheets: Sequence[Sheet], texts: set[str], role: Role) -> list[str]:
    return [spot.url for sheet in sheets for spot in sheet.spots if spot.role == role and spot.text in texts]


def _same_name(sheets: Sequence[Sheet], names: set[str], role: Role) -> list[str]:
    return [spot.url for sheet in sheets for spot in sheet.spots if spot.role == role and _name(spot.url) in names]


def _name(url: str) -> str:
    """The file name, or the last directory; empty for what says little, such as index.html."""
    name = next((segment for segment in reversed(split(url).segments) if segment), "")
    return "" if name.startswith("index.") else name


def _likeliest(sheets: Sequence[Sheet], role: Role) -> list[str]:
    groups = [group for group in groups_of(sheets) if group.key.role == role]
    return max(groups, key=lambda group: promise(group, sheets)).urls if groups else []
