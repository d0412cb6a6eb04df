"""Learn a layer of a site: one regular expression from a few of its URLs.

Pure functions of URLs: nothing is fetched, read or written.
"""

import re
from collections.abc import Sequence

from picspider.errors import nearest
from picspider.learn.learned import Learned, Question
from picspider.learn.methods import METHODS

__all__ = ["METHODS", "Learned", "Question", "UnknownMethod", "learn", "learn_regex"]


class UnknownMethod(ValueError):
    """Raised by `learn` for a method that is not in `METHODS`."""


def learn(
    positives: Sequence[str], negatives: Sequence[str] = (), unlabelled: Sequence[str] = (), method: str = "default"
) -> Learned:
    """Learn the expression that matches the layer of `positives` and none of `negatives`.

    `unlabelled` are URLs of which some may belong to the layer, such as all other links of a page;
    those that look like the examples are believed to. URLs are bare strings, best absolute ones. The
    expression is anchored at both ends, so that `re.search` and `re.fullmatch` agree on it, and takes
    linear time on any input.

    Raises UnknownMethod.
    """
    if method not in METHODS:
        near = nearest(method, METHODS)
        hint = f"did you mean {near}?" if near else f"write {' or '.join(METHODS)}"
        raise UnknownMethod(f"no method {method!r}: {hint}")
    finding = METHODS[method](positives, negatives, unlabelled)
    fits = re.compile(finding.regex).fullmatch
    urls = tuple(dict.fromkeys((*positives, *negatives, *unlabelled)))
    return Learned(
        regex=finding.regex,
        confidence=finding.confidence,
        matched=tuple(url for url in urls if fits(url)),
        rejected=tuple(url for url in urls if not fits(url)),
        questions=tuple(finding.questions()),
        explanation=finding.explanation,
    )


def learn_regex(positives: Sequence[str], negatives: Sequence[str] = (), unlabelled: Sequence[str] = ()) -> str:
    """The expression alone, by the default method; see `learn`."""
    return METHODS["default"](positives, negatives, unlabelled).regex
