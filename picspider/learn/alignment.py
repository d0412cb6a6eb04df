"""The regex generator of the *Mass picture downloader* (section 4): optimal alignment of strings.

Equal characters score 2, unequal ones 1, a gap -1; the best score of two prefixes is the maximum of
diagonal, up and left, and a table of directions is traced back. The rules that turn aligned samples
into one expression are missing in our copy of the thesis; those of `merge` and `learn_alignment` are
a reconstruction.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from picspider.learn.method import Finding
from picspider.learn.pattern import escape, matcher

MATCH, MISMATCH, GAP = 2, 1, -1
_DIAGONAL, _UP, _LEFT = 0, 1, 2
_CLASSES = (r"\d", "[a-z]", r"\w", "[^/]", r"[\s\S]")


@dataclass(frozen=True, slots=True)
class Site:
    """One column of merged samples: the characters seen there, and whether a sample has a gap."""

    characters: frozenset[str]
    gap: bool = False

    @property
    def literal(self) -> bool:
        """One character in all samples."""
        return len(self.characters) == 1 and not self.gap


def align(sites: Sequence[Site], text: str) -> tuple[int, list[tuple[int | None, int | None]]]:
    """The best score, and the pairs of positions from left to right; None is a gap.

    Among equal scores diagonal goes before up, up before left.
    """
    scores = [j * GAP for j in range(len(text) + 1)]
    directions = [[_LEFT] * (len(text) + 1)]
    for i, site in enumerate(sites, 1):
        row, way = [i * GAP], [_UP]
        for j, character in enumerate(text, 1):
            diagonal = scores[j - 1] + (MATCH if character in site.characters else MISMATCH)
            up, left = scores[j] + GAP, row[j - 1] + GAP
            best = max(diagonal, up, left)
            row.append(best)
            way.append(_DIAGONAL if best == diagonal else _UP if best == up else _LEFT)
        scores = row
        directions.append(way)
    return scores[-1], _trace_back(directions)


def _trace_back(directions: list[list[int]]) -> list[tuple[int | None, int | None]]:
    i, j = len(directions) - 1, len(directions[0]) - 1
    pairs: list[tuple[int | None, int | None]] = []
    while i or j:
        way = directions[i][j]
        if way == _DIAGONAL:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif way == _UP:
            i -= 1
            pairs.append((i, None))
        else:
            j -= 1
            pairs.append((None, j))
    return pairs[::-1]


def merge(samples: Sequence[str]) -> tuple[Site, ...]:
    """Align each sample with what the ones before it became; a column keeps all characters seen."""
    sites = tuple(Site(frozenset(c)) for c in samples[0])
    for text in samples[1:]:
        _, pairs = align(sites, text)
        sites = tuple(_merged(None if i is None else sites[i], None if j is None else text[j]) for i, j in pairs)
    return sites


def _merged(site: Site | None, character: str | None) -> Site:
    if site is None:
        return Site(frozenset(character or ""), gap=True)
    if character is None:
        return Site(site.characters, gap=True)
    return Site(site.characters | {character}, site.gap)


def learn_alignment(positives: Sequence[str], _negatives: Sequence[str], _unlabelled: Sequence[str]) -> Finding:
    """One expression for all samples: equal columns stay, each run of differing ones becomes a class.

    A run takes the narrowest of digits, small letters, word characters and anything up to the next
    slash. Where two such runs could share text, all between them becomes one run, so that the
    expression cannot backtrack over long input. Neither negatives nor unlabelled URLs are looked at.
    """
    samples = list(dict.fromkeys(positives))
    if not samples:
        return Finding("^(?!)$", 0.0, "Nothing.")
    runs: list[tuple[Site, ...]] = []
    for literal, group in groupby(merge(samples), key=lambda site: site.literal):
        run = tuple(group)
        runs.append(run)
        if not literal and len(runs) >= 3 and not runs[-3][0].literal and _overlap(runs[-3], runs[-2]):
            runs[-3:] = [runs[-3] + runs[-2] + run]
    regex = "^" + "".join(_expression(run) for run in runs) + "$"
    return Finding(regex, 0.4, f"{len(samples)} aligned examples, {len(runs)} runs of equal or differing characters.")


def _overlap(run: tuple[Site, ...], literal: tuple[Site, ...]) -> bool:
    """Whether the class of a run also takes the first character of the literal behind it."""
    return matcher(_class(run))(min(literal[0].characters)) is not None


def _class(run: tuple[Site, ...]) -> str:
    characters = "".join(sorted(frozenset[str]().union(*(site.characters for site in run))))
    return next(name for name in _CLASSES if matcher(name + "*")(characters))


def _expression(run: tuple[Site, ...]) -> str:
    if all(site.literal for site in run):
        return escape("".join(min(site.characters) for site in run))
    return _class(run) + ("*" if all(site.gap for site in run) else "+")
