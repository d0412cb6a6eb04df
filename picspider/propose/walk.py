"""From the entry down to the pictures: a few pages of each promising group of links, the most promising first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Protocol

from picspider.errors import Failed
from picspider.links.page import Page
from picspider.propose.form import Mould, split, spread
from picspider.propose.groups import Group, Key, Sheet, furniture, groups_of, likeness, promise, shows_pictures
from picspider.propose.next_pages import certainly_next, guesses
from picspider.urls import site_of

DEEPEST = 6
MOST_TRIED = 4
SAMPLES = 2
MORE_SAMPLES, MANY = 6, 20
HEADS = 3
KEPT_FOR_CHECKS = 5
ICON_PIXELS = 40
SAME_KIND = 0.8
# The typical side of pictures that belong together, in relation to the largest: figures of a text vary more.
SAME_SIZE, SAME_SORT, FIGURES = 0.9, 0.6, 0.3


class PictureHead(Protocol):
    """What the first bytes of a file say; `format` is empty for what is no picture."""

    @property
    def format(self) -> str:
        """As Pillow names it."""

    @property
    def width(self) -> int:
        """In pixels."""

    @property
    def height(self) -> int:
        """In pixels."""


class Site(Protocol):
    """Who fetches. Both raise Failed, and OutOfBudgetError."""

    @property
    def pages_left(self) -> int:
        """How many pages may still be asked for."""

    async def page(self, url: str, parent_url: str | None = None) -> Page:
        """The page at *url*."""

    async def head(self, url: str, parent_url: str | None = None) -> PictureHead:
        """The first bytes of the picture at *url*."""


class OutOfBudgetError(Exception):
    """As many requests as agreed have been made. Raised by a `Site`."""


@dataclass(slots=True)
class Kind:
    """Pages that one group of links leads to. `siblings`: all URLs known to be of it; `sheets`: those read."""

    sheets: list[Sheet]
    siblings: set[str]
    above: Kind | None = None
    depth: int = 0

    @property
    def line(self) -> list[Kind]:
        """This kind and those above it."""
        return [self, *(self.above.line if self.above else ())]

    def is_known(self, url: str) -> bool:
        """Whether *url* is certainly one of these pages."""
        return url in self.siblings or split(url).skeleton in {split(each).skeleton for each in self.siblings}


@dataclass(frozen=True, slots=True)
class Step:
    """One click: on pages of `kind`, the links of `groups`."""

    kind: Kind
    groups: tuple[Group, ...]

    @property
    def urls(self) -> list[str]:
        """The distinct URLs of all groups."""
        return list(dict.fromkeys(url for group in self.groups for url in group.urls))

    @property
    def per_page(self) -> float:
        """Distinct URLs on a page, on average."""
        return sum(group.per_page for group in self.groups)


@dataclass(frozen=True, slots=True)
class Route:
    """A way to pictures. `side_pixels`: their typical side (root of the area); `pictures`: how many to expect."""

    steps: tuple[Step, ...]
    side_pixels: float
    pictures: float

    @property
    def score(self) -> float:
        """Large pictures, and many."""
        return self.side_pixels * math.log2(1 + self.pictures)


@dataclass(slots=True)
class Walk:
    """Looks for the best route. `refused`: pages that could not be had."""

    site: Site
    refused: dict[str, Failed] = field(default_factory=dict)
    sizes: dict[str, PictureHead] = field(default_factory=dict)
    rivals: list[Route] = field(default_factory=list)
    icon_pixels: int = ICON_PIXELS

    async def best(self, kind: Kind) -> Route | None:
        """The best route from the pages of *kind*."""
        groups = groups_of(kind.sheets)
        fixed = furniture(kind.sheets)
        own = await self.pictures(kind, groups, fixed)
        routes = [] if own is None else [own]
        if kind.depth < DEEPEST:
            for group in self._promising(kind, groups, fixed):
                route = await self._through(kind, group, own)
                if route is not None:
                    routes.append(route)
                    if len(routes) > 2 and kind.depth:
                        break
        ranked = sorted(routes, key=lambda route: -route.score)
        if kind.depth == 0:
            self.rivals = ranked[1:]
        return ranked[0] if ranked else None

    async def _through(self, kind: Kind, group: Group, own: Route | None) -> Route | None:
        """The best route through *group*, unless it shows no more than the pages of *kind* do themselves."""
        child = await self._open(kind, group)
        route = await self.best(child) if child is not None else None
        if child is not None and route is None and len(group.urls) >= MANY:
            await self._read(child, group, MORE_SAMPLES)  # not each page of a long list has pictures
            route = await self.best(child)
        if route is None:
            return None
        here = {spot.url for sheet in kind.sheets for spot in sheet.spots}
        if set(route.steps[-1].urls) <= here:
            return None
        found = Route((Step(kind, (group,)), *route.steps), route.side_pixels, group.per_page * route.pictures)
        if own is not None and kind.depth and shows_pictures(group, kind.sheets) < 0.5:
            # from a picture's own page the way to others is sideways, unless it shows the picture larger
            return found if route.side_pixels > 1.2 * own.side_pixels else None
        return found

    def _promising(self, kind: Kind, groups: Sequence[Group], fixed: set[str]) -> list[Group]:
        chosen = []
        onward = {guess.url for sheet in kind.sheets for guess in guesses(sheet)}
        above = {url for each in kind.line[1:] for sheet in each.sheets for url in sheet.urls}
        fixed = fixed.union(*map(certainly_next, kind.sheets))
        home = site_of(kind.line[-1].sheets[0].url)
        for group in groups:
            if group.key.role != "page" or site_of(group.urls[0]) != home:
                continue
            members = tuple(
                tuple(spot for spot in page if spot.url not in fixed | above and not self._is_sideways(kind, spot.url))
                for page in group.members
            )
            if any(members) and not {spot.url for page in members for spot in page} <= onward:
                chosen.append(Group(group.key, members))
        chosen.sort(key=lambda group: -promise(group, kind.sheets))
        return chosen[:MOST_TRIED]

    def _is_sideways(self, kind: Kind, url: str) -> bool:
        return any(each.is_known(url) for each in kind.line)

    async def _open(self, kind: Kind, group: Group) -> Kind | None:
        """The pages that *group* leads to; None when they are of a kind that was met on the way, or no pages."""
        child = Kind([], set(group.urls), kind, kind.depth + 1)
        await self._read(child, group, SAMPLES)
        onward = {guess.url for sheet in kind.sheets for guess in guesses(sheet)}
        if not child.sheets or any(_same_kind(child.sheets[0], each) for each in kind.line):
            return None
        if onward & child.siblings and likeness(child.sheets[0], kind.sheets[0]) >= SAME_KIND:
            return None
        return child

    async def _read(self, child: Kind, group: Group, samples: int) -> None:
        """Read *samples* of the pages that *group* leads to."""
        assert child.above is not None
        parents = {url: sheet.url for sheet in child.above.sheets for url in sheet.urls}
        read = {sheet.url for sheet in child.sheets}
        for url in spread([url for url in group.urls if url not in read], samples):
            sheet = await self._sheet(url, parents[url])
            if sheet is not None:
                child.sheets.append(sheet)

    async def _sheet(self, url: str, parent_url: str) -> Sheet | None:
        if self.site.pages_left <= KEPT_FOR_CHECKS:
            return None
        try:
            return Sheet.of(await self.site.page(url, parent_url))
        except Failed as failed:
            self.refused[url] = failed
        except OutOfBudgetError:
            pass
        return None

    async def pictures(self, kind: Kind, groups: Sequence[Group], fixed: set[str]) -> Route | None:
        """The pictures that the pages of *kind* show or link themselves: the best group, and what belongs to it."""
        measured: list[tuple[float, Group]] = []
        for group in groups:
            if group.key.role == "picture":
                left = tuple(tuple(spot for spot in page if spot.url not in fixed) for page in group.members)
                side = await self._side(kind, Group(group.key, left)) if any(left) else 0.0
                if side:
                    measured.append((side, Group(group.key, left)))
        if not measured:
            return None
        side, best = max(measured, key=lambda pair: pair[0] * math.log2(1 + pair[1].per_page))
        taken = [group for its_side, group in measured if group is best or _belongs(group, its_side, best, side)]
        step = Step(kind, tuple(taken))
        return Route((step,), side, step.per_page)

    async def _side(self, kind: Kind, group: Group) -> float:
        """The typical side of the group's pictures in pixels; 0 for icons and for what is no picture."""
        parents = {spot.url: kind.sheets[number].url for number, page in enumerate(group.members) for spot in page}
        sides = []
        for url in spread(group.urls, HEADS):
            try:
                head = self.sizes[url] = await self.site.head(url, parents[url])
            except Failed as failed:
                self.refused[url] = failed
                continue
            except OutOfBudgetError:
                break
            if head.format and max(head.width, head.height) > self.icon_pixels:
                sides.append(math.sqrt(head.width * head.height))
            else:
                sides.append(0.0)
        return median(sides) if sides else 0.0


def _belongs(group: Group, side: float, best: Group, best_side: float) -> bool:
    """Whether *group* holds pictures of the same sort as *best*, only in another place or another directory."""
    one, other = group.key, best.key
    if one[:4] == other[:4]:
        return side >= SAME_SORT * best_side
    if one.form.host != other.form.host:
        return False
    if _is_linked(one) != _is_linked(other):
        return side >= SAME_SIZE * best_side and _share_directory(group, best)
    return side >= FIGURES * best_side and _is_wrapped(one) == _is_wrapped(other) and _share_directory(group, best)


def _share_directory(group: Group, best: Group) -> bool:
    """Whether the pictures of both lie below one directory, at least half as deep as those of *best*."""
    constant, count = Mould.of(best.urls).segments[:-1], 0
    for mine, theirs in zip(Mould.of([*best.urls, *group.urls]).segments[:-1], constant, strict=False):
        if mine != theirs:
            break
        count += 1
    return count * 2 >= len(constant)


def _is_wrapped(key: Key) -> bool:
    """Whether the pictures stand inside of links: thumbnails mostly do."""
    return any(step.split(".")[0].split("#")[0] == "a" for step in key.place)


def _is_linked(key: Key) -> bool:
    return key.origin == "href"


def _same_kind(sheet: Sheet, kind: Kind) -> bool:
    """Whether *sheet* is one more page of *kind*, by its build and its URL."""
    mould = Mould.of(kind.siblings)
    return any(sheet.url == each.url for each in kind.sheets) or (
        mould.fits(sheet.url) and any(likeness(sheet, each) >= SAME_KIND for each in kind.sheets)
    )


async def entry_kind(site: Site, urls: Sequence[str]) -> Kind:
    """The kind of the entry pages. Raises Failed when none can be had."""
    sheets = [Sheet.of(await site.page(url)) for url in urls[:SAMPLES]]
    return Kind(sheets, {*urls, *(sheet.url for sheet in sheets)})
