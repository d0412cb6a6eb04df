"""The part of a page that holds the links wanted, where others of the same look stand beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from picspider.propose.groups import is_aside
from picspider.propose.spot import Spot
from picspider.propose.walk import Step

_STEP = re.compile(r"[#.]-?[A-Za-z_][\w-]*")


def container(step: Step, astray: set[str], fixed: set[str]) -> str | None:
    """A selector of something that holds the wanted links and none of those *astray*, if these stand aside."""
    places = {spot.place for group in step.groups for spot in group.spots if spot.origin != "written"}
    wrong = [spot for sheet in step.kind.sheets for spot in sheet.spots if spot.url in astray]
    if not places or not all(is_aside(spot.place) or spot.url in fixed for spot in wrong):
        lone = len(step.kind.sheets) == 1 and all(is_aside(spot.place) or _unlike(spot, places) for spot in wrong)
        if not lone or not places:
            return None
    wanted = set(step.urls)
    for selector in _selectors(places):
        inside = [{link.url for link in sheet.page.links(selector)} for sheet in step.kind.sheets]
        held = set().union(*inside)
        if wanted <= held and not held & astray:
            return selector
    return None


def _unlike(spot: Spot, places: set[tuple[str, ...]]) -> bool:
    """Whether *spot* stands in a block of another name than the wanted ones."""
    names = {step for place in places for step in place if "#" in step or "." in step}
    return bool(names) and not names & set(spot.place)


def _selectors(places: set[tuple[str, ...]]) -> Iterator[str]:
    """Selectors of the elements around all of *places*, the outermost first: that one is the least particular."""
    for steps in zip(*places, strict=False):
        if len(set(steps)) > 1:
            return
        tag = re.split("[#.]", steps[0])[0]
        names = _STEP.findall(steps[0])
        identity = next((name for name in names if name.startswith("#")), None)
        if identity is not None:
            yield identity
        elif names:
            yield tag + names[0]
        elif tag in ("main", "article", "figure"):
            yield tag
