"""The default learner: URL parts in columns, a lattice of candidates per column, negatives decide."""

import math
from collections.abc import Iterable, Sequence
from functools import partial

from picspider.learn.method import Finding
from picspider.learn.pattern import alternatives
from picspider.learn.prices import leak_scale
from picspider.learn.questions import questions
from picspider.learn.solution import Solution, render
from picspider.learn.solve import Others, solve, solve_mixed
from picspider.learn.url_parts import Parts, split_url

_CONFIDENCE_LEAKING = 0.05


def learn_default(positives: Sequence[str], negatives: Sequence[str], unlabelled: Sequence[str]) -> Finding:
    """Generalise no more than needed to cover the positives and no less than the negatives allow.

    Unlabelled URLs are mixed evidence: those of the same shape probably belong, the others not.
    Examples that are no absolute http(s) URLs are only listed.
    """
    examples = _split(positives)
    if not examples or len(examples) < len(set(positives)):
        return Finding("^" + alternatives(sorted(set(positives)) or [""]) + "$", 0.0, "Exactly the examples.")
    others, mixed = _split(set(negatives) - set(positives)), _split(set(unlabelled) - set(positives))
    mixed = [parts for parts in mixed if parts not in others]
    if mixed:
        solutions = solve_mixed(examples, others, mixed)
    else:
        solutions = solve(examples, Others(tuple(others)), leak_scale(len(others)))
    unknown = [(str(parts), parts) for parts in mixed]
    asked = partial(questions, solutions, unknown, leak_scale(len(others)))
    return Finding(
        render(solutions), _confidence(solutions, examples, len(others) + len(mixed)), _explanation(solutions), asked
    )


def _split(urls: Iterable[str]) -> list[Parts]:
    return [parts for url in dict.fromkeys(urls) if (parts := split_url(url)) is not None]


def _confidence(solutions: Sequence[Solution], examples: Sequence[Parts], negatives: int) -> float:
    """The chance of exactness: a logistic curve fitted to the public URL groups.

    It falls with the price of the choice and with paths of different length, and grows with the
    numbers of examples and negatives.
    """
    if any(solution.choice.leaks for solution in solutions):
        return _CONFIDENCE_LEAKING
    cost = sum(solution.choice.cost for solution in solutions) + 0.5 * (len(solutions) - 1)
    varied = len({len(parts.segments) for parts in examples}) > 1
    logit = 3.0 - 0.42 * cost - 2.8 / len(examples) - 1.15 / (1 + negatives / 20) - 1.3 * varied
    return round(1.0 / (1.0 + math.exp(-logit)), 2)


def _explanation(solutions: Sequence[Solution]) -> str:
    text = " Or ".join(solution.words + "." for solution in solutions)
    if any(solution.choice.leaks for solution in solutions):
        text += " Not all negatives could be refused without listing the examples one by one."
    return text
