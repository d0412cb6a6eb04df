"""The whole proposal: the best route, how its lists go on, and a rule for each of its layers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from picspider.errors import Failed
from picspider.propose import rewrites
from picspider.propose.form import Mould, spread
from picspider.propose.groups import Group, Key, Sheet, furniture, groups_of
from picspider.propose.next_pages import Guess, certainly_next, guesses, is_counted
from picspider.propose.rules import Rule, rule_of
from picspider.propose.walk import (
    SAMPLES,
    Kind,
    OutOfBudgetError,
    PictureHead,
    Route,
    Site,
    Step,
    Walk,
    entry_kind,
)

MOST_SHEETS = 4
MOST_LAST_SHEETS = 10
KEPT = 2
MOST_GUESSES = 3
MOST_SIZES = 12
MOST_OF_A_THUMBNAIL = 320
LARGER = 1.5


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer: its rule, and how the pages that the rule is for go on (None: they do not)."""

    rule: Rule
    goes_on: Guess | None
    followed: int


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed for a site. `rivals`: other ways to pictures that were found, the best first.

    `sizes`: (width, height) of pictures that were looked at; `refused`: what could not be fetched; `rewrite`: what
    turns the addresses of thumbnails into those of the pictures.
    """

    entry: str
    layers: tuple[Layer, ...]
    route: Route
    rivals: tuple[Route, ...]
    sizes: tuple[tuple[int, int], ...]
    refused: dict[str, Failed]
    rewrite: rewrites.Guess | None = None


async def propose(site: Site, entry: str) -> Proposal | None:
    """Look at the site from *entry* on; None when no pictures are found. Raises Failed when the entry cannot be had."""
    walk = Walk(site)
    kind = await entry_kind(site, [entry])
    route = await walk.best(kind)
    if route is None:
        walk.icon_pixels = 0  # nothing but icons: then those, as thumbnails of something larger
        route = await walk.best(kind)
    if route is None:
        return None
    steps, ways_on = await _grown(walk, route.steps)
    layers = tuple(Layer(rule_of(step), way, len(step.urls)) for step, way in zip(steps, ways_on, strict=True))
    sizes = await _sizes(site, steps[-1], walk.sizes)
    whole = replace(route, steps=tuple(steps))
    rewrite = await _rewrite(walk, steps[-1], route.side_pixels)
    return Proposal(entry, layers, whole, tuple(walk.rivals), sizes, walk.refused, rewrite)


async def _rewrite(walk: Walk, step: Step, side_pixels: float) -> rewrites.Guess | None:
    """What turns the addresses of thumbnails into those of larger pictures, where that holds for two of them."""
    samples = spread(step.urls, SAMPLES)
    if side_pixels > MOST_OF_A_THUMBNAIL or not samples:
        return None
    for guess in rewrites.rewrites(samples[0]):
        larger = [await _side(walk.site, guess.apply(url)) > LARGER * side_pixels for url in samples]
        if all(larger):
            return guess
    return None


async def _side(site: Site, url: str) -> float:
    try:
        head = await site.head(url)
    except (Failed, OutOfBudgetError):
        return 0.0
    return math.sqrt(head.width * head.height)


async def _grown(walk: Walk, steps: Sequence[Step]) -> tuple[list[Step], list[Guess | None]]:
    """*steps* over more pages of each kind, next pages among them, and the rule that found these."""
    grown, ways_on = list(steps), list[Guess | None]()
    for number, step in enumerate(steps):
        if number:
            step.kind.siblings.update(grown[number - 1].urls)
            most = MOST_SHEETS if number + 1 < len(steps) else MOST_LAST_SHEETS
            await _read_more(walk.site, step.kind, grown[number - 1], most)
        grown[number], way_on = await _lengthened(walk.site, renewed(step))
        ways_on.append(way_on)
    last = grown[-1].kind
    pictures = await walk.pictures(last, groups_of(last.sheets), furniture(last.sheets))
    if pictures is not None:
        grown[-1] = pictures.steps[0]
    return grown, ways_on


async def _lengthened(site: Site, step: Step) -> tuple[Step, Guess | None]:
    """*step* with a next page read, if there is one, and the rule that found it."""
    siblings = {url for kind in step.kind.line for url in kind.siblings}
    found = [(sheet, guess) for sheet in step.kind.sheets[:MOST_GUESSES] for guess in guesses(sheet)]
    if step.kind.depth and any(guess.url in siblings for _, guess in found if not guess.counts):
        return step, None  # from one picture to the next
    known, mould, tried = siblings | set(step.urls), Mould.of(step.urls), 0
    for sheet, guess in found:
        if guess.url in known or tried == MOST_GUESSES or (mould.fits(guess.url) and not is_counted(sheet, guess.url)):
            continue
        tried += 1
        known.add(guess.url)
        more = await _read(site, guess.url, sheet.url)
        if more is not None and _goes_on(step, sheet, more):
            step.kind.sheets.append(more)
            return renewed(step), guess
    return step, None


def _goes_on(step: Step, sheet: Sheet, found: Sheet) -> bool:
    """Whether *found* is more of *sheet*: a page with new links like those of *step*."""
    mould, known = Mould.of(step.urls), set(step.urls) | sheet.urls
    return any(mould.fits(url) and url not in known for url in found.urls)


async def _read_more(site: Site, kind: Kind, above: Step, most: int) -> None:
    """Read further pages of *kind*, those of pages that were not followed before first."""
    read = {sheet.url for sheet in kind.sheets}
    for url in spread([url for url in above.urls if url not in read], most - len(kind.sheets)):
        if site.pages_left <= KEPT:
            break
        sheet = await _read(site, url, above.kind.sheets[0].url)
        if sheet is not None:
            kind.sheets.append(sheet)


async def _read(site: Site, url: str, parent_url: str) -> Sheet | None:
    try:
        return Sheet.of(await site.page(url, parent_url))
    except (Failed, OutOfBudgetError):
        return None


def renewed(step: Step) -> Step:
    """*step* over all pages of its kind that have been read by now."""
    above = {sheet.url for kind in step.kind.line for sheet in kind.sheets}
    fixed = furniture(step.kind.sheets).union(above, *map(certainly_next, step.kind.sheets))
    found = []
    for group in groups_of(step.kind.sheets):
        if any(_alike(group.key, old.key) for old in step.groups):
            left = tuple(tuple(spot for spot in page if spot.url not in fixed) for page in group.members)
            if any(left):
                found.append(Group(group.key, left))
    return Step(step.kind, tuple(found)) if found else step


def _alike(key: Key, old: Key) -> bool:
    return key[:4] == old[:4] and all(
        "*" in pair or pair[0] == pair[1] for pair in zip(key.directories, old.directories, strict=True)
    )


async def _sizes(site: Site, step: Step, known: dict[str, PictureHead]) -> tuple[tuple[int, int], ...]:
    """Width and height of some of the pictures of *step*."""
    parents = _parents(step.groups, step.kind.sheets)
    for url in spread(step.urls, MOST_SIZES):
        if url not in known:
            try:
                known[url] = await site.head(url, parents[url])
            except Failed:
                continue
            except OutOfBudgetError:
                break
    heads = [known[url] for url in step.urls if url in known]
    return tuple((head.width, head.height) for head in heads if head.format)


def _parents(groups: Sequence[Group], sheets: Sequence[Sheet]) -> dict[str, str]:
    return {
        spot.url: sheets[number].url for group in groups for number, page in enumerate(group.members) for spot in page
    }
