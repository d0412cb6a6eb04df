"""Which example would decide between the expression learned and its nearest neighbours."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from picspider.learn.choose import price
from picspider.learn.learned import Question
from picspider.learn.pattern import Pattern, matcher
from picspider.learn.solution import Solution, fits, render
from picspider.learn.url_parts import Parts

_NEAR = 0.6
_PROBES = ("42", "1234567", "example", "some-other-name", "Some_Name", "a1b2c3d4", "example.jpg", "x.php")


def questions(
    solutions: Sequence[Solution], urls: Sequence[tuple[str, Parts]], scale: float, most: int = 3
) -> list[Question]:
    """At most `most` questions, the closest alternative first.

    A real URL that tells the two apart is preferred; `urls` are those whose label is not known.
    """
    if len(solutions) != 1:
        return []
    solution = solutions[0]
    found: dict[str, Question] = {}
    for _, other in sorted(_neighbours(solution, scale), key=lambda pair: pair[0]):
        question = _question(solution, other, urls)
        if question is not None:
            found.setdefault(question.url, question)
        if len(found) == most:
            break
    return list(found.values())


def _neighbours(solution: Solution, scale: float) -> Iterator[tuple[float, Solution]]:
    """Solutions that differ in one column, refuse all that this one refuses, and cost little more."""
    chosen = solution.choice.patterns
    for index, column in enumerate(solution.layout.columns):
        rest = [
            row
            for row in solution.rows
            if not fits(chosen, row) and fits((*chosen[:index], *chosen[index + 1 :]), row[:index] + row[index + 1 :])
        ]
        for pattern in column.choices:
            extra = price(pattern, scale) - price(chosen[index], scale)
            if pattern.regex == chosen[index].regex or extra > _NEAR:
                continue
            if not any(row[index] is None or matcher(pattern.regex)(row[index] or "") for row in rest):
                yield extra, _with(solution, index, pattern)


def _with(solution: Solution, index: int, pattern: Pattern) -> Solution:
    patterns = list(solution.choice.patterns)
    patterns[index] = pattern
    return replace(solution, choice=replace(solution.choice, patterns=tuple(patterns)))


def _question(one: Solution, other: Solution, urls: Sequence[tuple[str, Parts]]) -> Question | None:
    """The first URL on which the two differ; None when none is known."""
    for url, parts in (*urls, *_made_up(one, other)):
        takes = one.matches(parts)
        if takes != other.matches(parts):
            mine, theirs = render([one]), render([other])
            return Question(url, mine, theirs) if takes else Question(url, theirs, mine)
    return None


def _made_up(one: Solution, other: Solution) -> Iterator[tuple[str, Parts]]:
    """Variations of the first example in the segment in which the two solutions differ."""
    example = one.examples[0]
    pairs = list(zip(one.choice.patterns, other.choice.patterns, strict=True))
    for index, (mine, theirs) in enumerate(pairs[1 : len(example.segments) + 1], 1):
        if mine.regex != theirs.regex:
            for probe in (*_varied(example.segments[index - 1]), *_PROBES):
                segments = (*example.segments[: index - 1], probe, *example.segments[index:])
                parts = replace(example, segments=segments)
                yield str(parts), parts


def _varied(segment: str) -> Iterator[str]:
    """The segment with another number or word in one place, as ``owls-1`` with ``example-1``; never another ending."""
    for run in re.finditer(r"\d+|[^\W\d_]+", segment):
        before, after = segment[: run.start()], segment[run.end() :]
        if not before.endswith("."):
            yield f"{before}{'42' if run[0].isdecimal() else 'example'}{after}"
