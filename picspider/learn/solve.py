"""Find the cheapest expression for examples, given URLs that it must or should refuse."""

from dataclasses import dataclass

from picspider.learn.avoid import with_avoided_words
from picspider.learn.choose import choose
from picspider.learn.layout import layouts
from picspider.learn.prices import MISS, OTHER, doubt_after, leak_scale
from picspider.learn.solution import Solution
from picspider.learn.url_parts import Parts

_MOST_SHAPES = 4


@dataclass(frozen=True, slots=True)
class Others:
    """URLs that must be refused, and such as probably should be."""

    sure: tuple[Parts, ...] = ()
    doubtful: tuple[Parts, ...] = ()


def solve(examples: list[Parts], others: Others, scale: float) -> list[Solution]:
    """The best solution of one layout, or one per shape of the examples, whichever is cheaper.

    `scale` weighs the bets on leaks of URLs not seen.
    """
    whole = _solve_together(examples, others, scale)
    shapes: dict[tuple[int, bool, bool], list[Parts]] = {}
    for parts in examples:
        shapes.setdefault((len(parts.segments), parts.query is None, parts.fragment is None), []).append(parts)
    if not 1 < len(shapes) <= _MOST_SHAPES:
        return [whole]
    apart = [_solve_together(group, others, scale) for group in shapes.values()]
    cost = sum(solution.choice.total for solution in apart) + MISS["split"] * (len(apart) - 1)
    return apart if cost < whole.choice.total else [whole]


def _solve_together(examples: list[Parts], others: Others, scale: float) -> Solution:
    solutions = []
    for plain in layouts(examples):
        sure = [row for parts in others.sure for row in plain.rows(parts)]
        rows = [*sure, *(row for parts in others.doubtful for row in plain.rows(parts))]
        base = choose(plain, [], 0, scale).patterns
        layout = with_avoided_words(plain, rows, base)
        solutions.append(Solution(layout, choose(layout, rows, len(sure), scale), tuple(examples), tuple(rows)))
    return min(solutions, key=lambda solution: solution.choice.total)


def solve_mixed(examples: list[Parts], sure: list[Parts], mixed: list[Parts]) -> list[Solution]:
    """With URLs of which some belong and some do not, nobody knows which; `sure` ones do not.

    Those that a cautious expression takes are believed to belong, the others are probably not: each
    of them that matches in the end costs a little, not the price of a sure negative.
    """
    scale = OTHER["scale unlabelled"] * doubt_after(len(examples))
    refused = Others(tuple(sure))
    cautious = solve(examples, refused, scale)
    inside = [parts for parts in mixed if any(solution.matches(parts) for solution in cautious)]
    outside = tuple(parts for parts in mixed if parts not in inside and parts not in sure)
    known = [*examples, *inside[: int(OTHER["most believed"])]]
    return solve(known, Others(tuple(sure), outside), leak_scale(len(sure) + len(outside)))
