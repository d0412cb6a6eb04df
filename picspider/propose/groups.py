"""Links that belong together: of one role, in one place of the pages of one kind, with URLs of one form."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from picspider.propose.form import Form, split
from picspider.propose.spot import Role, Spot, spots_of

if TYPE_CHECKING:
    from picspider.links.page import Page

_ASIDE = re.compile(
    r"nav|menu|side-?bar|footer|header|aside|bread-?crumb|tag(?:s|cloud|-)|cloud|related|popular|similar|recommend|social"
    r"|share|login|lang|toolbar|widget|banner|advert|sponsor|comment",
    re.IGNORECASE,
)
_CHORE = re.compile(
    r"(?:log ?in|log ?out|sign ?(?:in|up)|register|about|contact|imprint|impressum|privacy|terms|rss|help|faq|home"
    r"|search|edit|report|download|cart|share|tweet|facebook|reply)\b",
    re.IGNORECASE,
)
_FILE_ENDING = re.compile(r"[-_.]([A-Za-z]+|\d+x\d+)\.\w+$")
_LAST = -1
SELDOM = 6
_LISTS = frozenset(("ul", "ol", "dl", "li", "dd", "dt"))


@dataclass(slots=True)
class Sheet:
    """A page that was read, with its links."""

    url: str
    page: Page
    spots: list[Spot] = field(default_factory=list)

    @classmethod
    def of(cls, page: Page) -> Sheet:
        """Read *page*."""
        return cls(page.url, page, spots_of(page))

    @property
    def urls(self) -> set[str]:
        """All URLs on it."""
        return {spot.url for spot in self.spots}


class Key(NamedTuple):
    """What the links of one group share."""

    role: Role
    origin: str
    place: tuple[str, ...]
    form: Form
    directories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Links of one kind of page. `members`: for each page read, in order, the links on it."""

    key: Key
    members: tuple[tuple[Spot, ...], ...]

    @property
    def urls(self) -> list[str]:
        """The distinct URLs in the order of the pages."""
        return list(dict.fromkeys(spot.url for page in self.members for spot in page))

    @property
    def per_page(self) -> float:
        """Distinct URLs on a page that has any, on average."""
        counts = [len({spot.url for spot in page}) for page in self.members if page]
        return sum(counts) / len(counts) if counts else 0.0

    @property
    def spots(self) -> list[Spot]:
        """All links."""
        return [spot for page in self.members for spot in page]


def groups_of(sheets: Sequence[Sheet]) -> list[Group]:
    """The groups of pages and pictures on *sheets*, pages of one kind, in document order.

    Pictures are told apart by their directories, too. One that comes again on another page is the site's, one that
    changes with the page is data: of /w320/3 and /w1600/3 there are two groups, of /paris/3 and /rome/3 one.
    """
    found: defaultdict[Key, list[list[Spot]]] = defaultdict(lambda: [[] for _ in sheets])
    lasting = _lasting_parts(sheets)
    for number, sheet in enumerate(sheets):
        for spot in sheet.spots:
            if spot.role != "other":
                found[_key(spot, lasting)][number].append(spot)
    return [Group(key, tuple(map(tuple, members))) for key, members in found.items()]


def _key(spot: Spot, lasting: set[tuple[int, str]]) -> Key:
    parts = split(spot.url)
    shown: tuple[str, ...] = ()
    if spot.role == "picture":
        shown = tuple(text if (place, text) in lasting else "*" for place, text in enumerate(parts.segments[:-1]))
        ending = (_LAST, file_ending(spot.url))
        shown = (*shown, ending[1] if ending in lasting else "*")
    elif parts.form.parameters:
        shown = parts.segments  # a script that answers for many addresses
    origin = "lazy" if spot.origin.startswith("lazy") else spot.origin
    place = spot.place if spot.role == "picture" else _in_lists(tuple(map(_unnamed, spot.place)))
    return Key(spot.role, origin, place, parts.form, shown)


def _in_lists(place: tuple[str, ...]) -> tuple[str, ...]:
    """*place* with lists in lists as one list: chapters and their sections are one table of contents."""
    steps: list[str] = []
    for step in place:
        tag = re.split("[#.]", step)[0]
        if tag in _LISTS and any(re.split("[#.]", before)[0] in _LISTS for before in steps[-2:]):
            continue
        steps.append(step)
    return tuple(steps)


def _unnamed(step: str) -> str:
    """A step without its id, unless that says that it stands aside: sections of one list have an id each."""
    return step if _ASIDE.search(step) else re.sub(r"#[^.]+", "", step)


def file_ending(url: str) -> str:
    """What a file's name ends with after a sign that parts words: `t` of `12_t.jpg`; empty when there is none."""
    found = _FILE_ENDING.search(split(url).segments[-1])
    return found[1] if found else ""


def _lasting_parts(sheets: Sequence[Sheet]) -> set[tuple[int, str]]:
    """Directories by their place that come again on other pages, and endings that many file names have."""
    directories, endings = Counter[tuple[int, str]](), Counter[tuple[int, str]]()
    for sheet in sheets:
        own = set(split(sheet.url).segments)
        names = [url for url in sheet.urls if split(url).form.ending == "picture"]
        found = {part for url in names for part in enumerate(split(url).segments[:-1]) if part[1] not in own}
        directories.update(found)
        ends = Counter((_LAST, file_ending(url)) for url in names)
        endings.update({part: count for part, count in ends.items() if count * SELDOM >= len(names)})
    lasting = {part for part, count in directories.items() if count > 1 and not part[1].isdigit()}
    return lasting | {part for part, count in endings.items() if count > 1 and part[1]}


def furniture(sheets: Sequence[Sheet]) -> set[str]:
    """The URLs that stand on every one of *sheets*: navigation, logos, icons. Empty for a single sheet."""
    if len(sheets) < 2:
        return set()
    return set.intersection(*(sheet.urls for sheet in sheets))


def likeness(one: Sheet, other: Sheet) -> float:
    """How alike two pages are built, 0 to 1: the places of links that they share (Jaccard)."""
    first, second = ({spot.place for spot in sheet.spots} for sheet in (one, other))
    return len(first & second) / len(first | second) if first | second else 1.0


def shows_pictures(group: Group, sheets: Sequence[Sheet]) -> float:
    """The share of the group's links that are links around a picture."""
    pictures = [{spot.picture for spot in sheet.spots if spot.role == "picture" and spot.picture} for sheet in sheets]
    around = [spot.picture in pictures[number] for number, page in enumerate(group.members) for spot in page]
    return sum(around) / len(around) if around else 0.0


def promise(group: Group, sheets: Sequence[Sheet]) -> float:
    """How likely it is that the pages of *group* lead to pictures: many of them, around thumbnails, not aside."""
    spots = group.spots
    weight = math.log2(1 + len(group.urls)) * (1 + 2 * shows_pictures(group, sheets))
    if is_aside(group.key.place):
        weight *= 0.2
    if group.key.form.host != split(sheets[0].url).form.host:
        weight *= 0.3
    if sum(_CHORE.match(spot.text) is not None for spot in spots) > len(spots) / 2:
        weight *= 0.1
    if all(spot.hidden for spot in spots) or group.key.origin == "written":
        weight *= 0.5
    return weight


def is_aside(place: Iterable[str]) -> bool:
    """Whether *place* is one for navigation, tags and the like, by its tags and names."""
    return any(_ASIDE.search(step) for step in place if step not in ("header", "body", "html"))
