"""The rule of a layer: a regex that the learner makes of the links followed, against all others of their pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from picspider.learn import Learned, learn
from picspider.propose.form import Mould, split, spread
from picspider.propose.groups import Sheet, furniture, is_aside
from picspider.propose.spot import Spot, is_picture_name
from picspider.propose.walk import Kind, Step

MOST_POSITIVES = 60
MOST_NEGATIVES = 200
MOST_TRANSFERRED = 12
MOST_EXCLUDED = 6
_ENDINGS = ("jpg", "jpeg", "png", "webp", "gif", "avif")
_ENDING = re.compile(r"\.[A-Za-z]{3,4}$")
_STEP = re.compile(r"[#.]-?[A-Za-z_][\w-]*")


@dataclass(frozen=True, slots=True)
class Rule:
    """One layer of the proposal, with what speaks for it. `per_page`: how many links it takes on the pages read."""

    links: str
    within: str | None
    exclude: tuple[str, ...]
    samples: tuple[str, ...]
    per_page: tuple[int, ...]
    learned: Learned
    doubts: tuple[str, ...] = ()


def rule_of(step: Step) -> Rule:
    """The rule for the links of *step*."""
    sheets, wanted = step.kind.sheets, set(step.urls)
    # what looks the same and stands elsewhere on the page may belong: it decides nothing
    negatives = _others(step, Mould.of(wanted))
    learned = _learned(list(wanted), _invented(step), negatives)
    pattern = re.compile(learned.regex)
    links, within = learned.regex, None
    exclude: tuple[str, ...] = ()
    astray = {spot.url for sheet in sheets for spot in _astray(sheet, pattern, wanted)}
    doubts = []
    if astray:
        fixed = furniture(sheets)
        within = _container(step, astray)
        if within is None and len(astray & fixed) <= MOST_EXCLUDED:
            exclude = _excluded(astray & fixed)
        if within is None:
            doubts = [f"it takes {url}, too, which may not belong" for url in sorted(astray - fixed)[:3]]
    if any(spot.origin == "written" for spot in _taken(sheets, pattern)):
        links, within = _source_pattern(sheets, pattern), None
    counts = tuple(len({spot.url for spot in sheet.spots if pattern.search(spot.url)}) for sheet in sheets)
    return Rule(links, within, exclude, tuple(spread(step.urls, 3)), counts, learned, tuple(doubts))


def _learned(wanted: list[str], invented: list[str], negatives: list[str]) -> Learned:
    found = learn([*spread(sorted(wanted), MOST_POSITIVES), *invented], negatives)
    refused = set(negatives) & set(found.matched)
    return learn(spread(sorted(wanted), MOST_POSITIVES), negatives) if invented and refused else found


def _others(step: Step, mould: Mould) -> list[str]:
    """What the rule must not take: the other links of its pages, and the pages on the way, but for what looks alike."""
    found: dict[str, None] = {}
    for kind in step.kind.line:
        found.update(dict.fromkeys((*(sheet.url for sheet in kind.sheets), *sorted(kind.siblings))))
    for sheet in step.kind.sheets:
        found.update(dict.fromkeys(spot.url for spot in sheet.spots))
    return spread([url for url in found if not mould.fits(url)], MOST_NEGATIVES)


def _taken(sheets: Sequence[Sheet], pattern: re.Pattern[str]) -> Iterator[Spot]:
    for sheet in sheets:
        yield from (spot for spot in sheet.spots if pattern.search(spot.url))


def _astray(sheet: Sheet, pattern: re.Pattern[str], wanted: set[str]) -> Iterator[Spot]:
    for spot in sheet.spots:
        if spot.url not in wanted and spot.origin != "written" and pattern.search(spot.url):
            yield spot


def _container(step: Step, astray: set[str]) -> str | None:
    """A selector of something that holds the wanted links and none of those *astray*, if these stand aside."""
    places = {group.key.place for group in step.groups if group.key.origin != "written"}
    wrong = [spot for sheet in step.kind.sheets for spot in sheet.spots if spot.url in astray]
    if not places or not all(is_aside(spot.place) or spot.url in furniture(step.kind.sheets) for spot in wrong):
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


def _excluded(urls: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{re.escape(urlsplit(url).path)}$".replace(r"\-", "-") for url in sorted(urls))


def _invented(step: Step) -> list[str]:
    """URLs that there probably are, too: below the other pages of the same kind, and with the endings of pictures."""
    found = list(_transferred(step.kind, step.urls))
    names = [url for url in step.urls if is_picture_name(url)]
    if names and len(names) == len(step.urls) and not urlsplit(names[0]).query:
        found += [_ENDING.sub(f".{ending}", name) for name, ending in zip(names * 6, _ENDINGS, strict=False)]
        found += [_ENDING.sub(f".{ending}", names[0]) for ending in _ENDINGS]
    return [url for url in dict.fromkeys(found) if url not in set(step.urls)]


def _transferred(kind: Kind, urls: Sequence[str]) -> Iterator[str]:
    """*urls* with what names a page on the way to them replaced by what names its siblings."""
    for each in kind.line:
        parts = sorted(
            {part for url in each.siblings if (part := _own_part(url, each.siblings))}, key=len, reverse=True
        )
        if len(parts) < 2:
            continue
        named = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(map(re.escape, parts))})(?![A-Za-z0-9])")
        fitting = [url for url in urls if named.search(urlsplit(url).path)]
        for url in spread(fitting, 2):
            start = len(url) - len(url.split("/", 3)[-1])
            for other in spread(sorted(parts), MOST_TRANSFERRED):
                yield url[:start] + named.sub(lambda _, text=other: text, url[start:], count=1)


def _own_part(url: str, siblings: set[str]) -> str:
    """What of the path of *url* is its own, between what all siblings begin and end with; empty when that is little."""
    paths = [split(each).segments for each in siblings]
    mine = split(url).segments
    if len(paths) < 2 or any(len(path) != len(mine) for path in paths):
        return ""
    varied = [place for place in range(len(mine)) if len({path[place] for path in paths}) > 1]
    text = "/".join(mine[varied[0] : varied[-1] + 1]) if varied else ""
    texts = ["/".join(path[varied[0] : varied[-1] + 1]) for path in paths] if varied else []
    text = text[_common_length(texts) :]
    end = _common_length([each[_common_length(texts) :][::-1] for each in texts])
    own = text[: len(text) - end] if end else text
    return own if re.search(r"[A-Za-z0-9]", own) else ""


def _common_length(texts: Sequence[str]) -> int:
    """How much all *texts* have in common at their beginning, up to a sign that parts words."""
    count = 0
    for number, signs in enumerate(zip(*texts, strict=False), 1):
        if len(set(signs)) > 1:
            break
        if not signs[0].isalnum():
            count = number
    return count


def _source_pattern(sheets: Sequence[Sheet], pattern: re.Pattern[str]) -> str:
    """A pattern on the page source for links that scripts write: `href="…"` as it stands there."""
    found: dict[str, None] = {}
    for sheet in sheets:
        for raw, url in _raw_links(sheet):
            if pattern.search(url):
                found[re.sub(r"\d+", r"\\d+", re.escape(raw).replace(r"\-", "-"))] = None
    if len(found) == 1:
        return f'href="{next(iter(found))}"'
    endings = {split(url).form.ending for sheet in sheets for _, url in _raw_links(sheet) if pattern.search(url)}
    ending = endings.pop() if len(endings) == 1 else ""
    return f'href="[^"]+{re.escape("." + ending) if ending.isalpha() else ""}"'


def _raw_links(sheet: Sheet) -> Iterator[tuple[str, str]]:
    for link, raw in zip(
        sheet.page.source_urls(r'href="[^"]+"'), re.findall(r'href="([^"]+)"', sheet.page.text), strict=False
    ):
        yield raw, link.url
