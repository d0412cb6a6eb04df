"""The rule of a layer: a regex that the learner makes of the links followed, against all others of their pages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from picspider.learn import Learned, learn
from picspider.propose.container import container
from picspider.propose.form import Mould, spread
from picspider.propose.groups import Sheet, furniture
from picspider.propose.invented import invented
from picspider.propose.source_pattern import source_pattern
from picspider.propose.spot import Spot
from picspider.propose.walk import Step
from picspider.propose.widen import widened

MOST_POSITIVES = 60
MOST_NEGATIVES = 200
MOST_EXCLUDED = 6
MOST_DOUBTS = 3


@dataclass(frozen=True, slots=True)
class Rule:
    """One layer of the proposal, with what speaks for it. `per_page`: how many links it
    takes on the pages read; `doubtful`: some of the `doubts` links that it takes from other places of these pages.
    """

    links: str
    within: str | None
    exclude: tuple[str, ...]
    samples: tuple[str, ...]
    per_page: tuple[int, ...]
    learned: Learned
    doubtful: tuple[str, ...] = ()
    doubts: int = 0


def rule_of(step: Step) -> Rule:
    """The rule for the links of *step*."""
    sheets, wanted = step.kind.sheets, set(step.urls)
    negatives = _others(step, Mould.of(wanted))
    learned = _learned(sorted(wanted), invented(step), negatives)
    regex = widened(learned.regex, _unwanted(step, wanted))
    pattern = re.compile(regex)
    fixed = furniture(sheets)
    astray = {spot.url for sheet in sheets for spot in _taken(sheet, pattern) if _is_astray(spot, wanted)}
    within = container(step, astray, fixed) if astray else None
    exclude = _excluded(astray & fixed) if within is None and len(astray & fixed) <= MOST_EXCLUDED else ()
    if any(spot.origin == "written" for sheet in sheets for spot in _taken(sheet, pattern)):
        regex, within = source_pattern(sheets, pattern), None
    counts = tuple(len({spot.url for spot in _taken(sheet, pattern)}) for sheet in sheets)
    doubtful = () if within else tuple(spread(sorted(astray - fixed), MOST_DOUBTS))
    return Rule(regex, within, exclude, tuple(spread(step.urls, 3)), counts, learned, doubtful, len(astray - fixed))


def _learned(wanted: list[str], likely: list[str], negatives: list[str]) -> Learned:
    """Learn from some of *wanted*, those that the others do not stand for included."""
    examples = spread(wanted, MOST_POSITIVES)
    found = learn([*examples, *likely], negatives)
    if likely and set(negatives) & set(found.matched):
        likely, found = [], learn(examples, negatives)
    missed = [url for url in wanted if not re.search(found.regex, url)]
    return learn([*examples, *spread(missed, MOST_POSITIVES), *likely], negatives) if missed else found


def _others(step: Step, mould: Mould) -> list[str]:
    """What the rule must not take: the other links of its pages, and the pages on the way, but for what looks alike."""
    found: dict[str, None] = {}
    for kind in step.kind.line:
        found.update(dict.fromkeys((*(sheet.url for sheet in kind.sheets), *sorted(kind.siblings))))
    for sheet in step.kind.sheets:
        found.update(dict.fromkeys(spot.url for spot in sheet.spots))
    return spread([url for url in found if not mould.fits(url)], MOST_NEGATIVES)


def _unwanted(step: Step, wanted: set[str]) -> set[str]:
    """All URLs that were met on the way, but for those *wanted*."""
    sheets = [sheet for kind in step.kind.line for sheet in kind.sheets]
    return {url for sheet in sheets for url in (sheet.url, *sheet.urls)} - wanted


def _taken(sheet: Sheet, pattern: re.Pattern[str]) -> list[Spot]:
    return [spot for spot in sheet.spots if pattern.search(spot.url)]


def _is_astray(spot: Spot, wanted: set[str]) -> bool:
    """Whether the rule takes *spot* though it is not among what was followed."""
    return spot.url not in wanted and spot.origin != "written"


def _excluded(urls: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{re.escape(urlsplit(url).path)}$".replace(r"\-", "-") for url in sorted(urls))
