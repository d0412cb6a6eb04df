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
class Caution:
    """`scale` weighs the bets on leaks, `leak` is the price of each given URL that is not refused."""

    scale: float
    leak: float


def caution_after(negatives: int) -> Caution:
    """Sure negatives must be refused; many of them leave less to fear from URLs not seen."""
    return Caution(leak_scale(negatives), OTHER["leak"])


def solve(examples: list[Parts], others: list[Parts], caution: Caution) -> list[Solution]:
    """The best solution of one layout, or one per shape of the examples, whichever is cheaper."""
    whole = _solve_together(examples, others, caution)
    shapes: dict[tuple[int, bool, bool], list[Parts]] = {}
    for parts in examples:
        shapes.setdefault((len(parts.segments), parts.query is None, parts.fragment is None), []).append(parts)
    if not 1 < len(shapes) <= _MOST_SHAPES:
        return [whole]
    apart = [_solve_together(group, others, caution) for group in shapes.values()]
    cost = sum(solution.choice.total for solution in apart) + MISS["split"] * (len(apart) - 1)
    return apart if cost < whole.choice.total else [whole]


def _solve_together(examples: list[Parts], others: list[Parts], caution: Caution) -> Solution:
    solutions = []
    for plain in layouts(examples):
        rows = [row for other in others for row in plain.rows(other)]
        base = choose(plain, [], caution.scale, caution.leak).patterns
        layout = with_avoided_words(plain, rows, base)
        choice = choose(layout, rows, caution.scale, caution.leak)
        solutions.append(Solution(layout, choice, tuple(examples), tuple(rows)))
    return min(solutions, key=lambda solution: solution.choice.total)


def solve_mixed(examples: list[Parts], mixed: list[Parts]) -> list[Solution]:
    """With URLs of which some belong and some do not, nobody knows which.

    Those that a cautious expression takes are believed to belong, the others are probably not: each
    of them that matches in the end costs a little, not the price of a sure negative.
    """
    scale = OTHER["scale unlabelled"] * doubt_after(len(examples))
    cautious = solve(examples, [], Caution(scale, 0.0))
    inside = [parts for parts in mixed if any(solution.matches(parts) for solution in cautious)]
    outside = [parts for parts in mixed if parts not in inside]
    known = [*examples, *inside[: int(OTHER["most believed"])]]
    return solve(known, outside, Caution(leak_scale(len(outside)), OTHER["leak unlabelled"]))
