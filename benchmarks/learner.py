"""How well a layer's expression is learned: the thesis' alignment, ours, and grex where it is installed.

    python benchmarks/learner.py [GROUPS.jsonl] [--samples N] [--every N]

GROUPS.jsonl is a list of groups of public URLs (default: ../shared/learnbench/groups.jsonl). Each group
has positives (the layer) and negatives (the site's other links). For k examples a learner gets `pos`: no
negatives; `posneg`: half of the negatives; `unl`: no negatives, but that half mixed with half of the unseen
positives, unlabelled. Printed are, averaged over the samples of a group and then over the groups: exact
(each unseen positive matched and no scored negative), recall, false positives, length, milliseconds.
"""

import argparse
import importlib
import itertools
import json
import math
import random
import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from statistics import mean, median

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from picspider.learn import METHODS  # noqa: E402 - the project's root comes first

Learner = Callable[[list[str], list[str], list[str]], str]
VIEWS = {
    "core": ("uniform", "page", "pager"),
    "page+pager": ("page", "pager"),
    "mixed": ("mixed",),
    "subdomain": ("subdomain",),
}


@dataclass(frozen=True, slots=True)
class Case:
    """What a learner is given, and what is scored."""

    given: tuple[list[str], list[str], list[str]]
    unseen: list[str]
    refused: list[str]


@dataclass(frozen=True, slots=True)
class Score:
    """One answer."""

    exact: bool
    recall: float
    false_positives: float
    length: int
    seconds: float


def shuffled(urls: list[str], seed: str) -> list[str]:
    """An order that depends on the URLs and the seed only."""
    return sorted(urls, key=lambda url: sha256((seed + url).encode()).digest())


def cases(group: dict[str, list[str]], setting: str, count: int, samples: int) -> Iterator[Case]:
    """The samples of a group in one setting; none when the group is too small for it."""
    positives, name = group["positives"], str(group["id"])
    negatives = shuffled(group["negatives"], name)
    half = len(negatives) // 2
    given, refused = ([], negatives) if setting == "pos" else (negatives[:half], negatives[half:])
    if len(positives) <= count or (setting != "pos" and half == 0):
        return
    draw = random.Random(name + str(count))
    chosen = [tuple(draw.sample(positives, count)) for _ in range(samples)]
    if math.comb(len(positives), count) <= samples:
        chosen = list(itertools.combinations(positives, count))
    for examples in chosen:
        unseen = [url for url in positives if url not in examples]
        if setting != "unl":
            yield Case((list(examples), given, []), unseen, refused)
        elif len(unseen) > 1:
            mixed = shuffled(unseen, name)
            cut = len(mixed) // 2
            yield Case((list(examples), [], shuffled(mixed[:cut] + given, name)), mixed[cut:], refused)


def score(learner: Learner, case: Case) -> Score:
    """Run the learner on one case."""
    start = time.perf_counter()
    regex = learner(*case.given)
    seconds = time.perf_counter() - start
    fits = re.compile(regex).fullmatch
    recall = mean(fits(url) is not None for url in case.unseen)
    wrong = mean(fits(url) is not None for url in case.refused) if case.refused else 0.0
    return Score(recall == 1 and wrong == 0, recall, wrong, len(regex), seconds)


def learners() -> dict[str, Learner]:
    """Ours and the peers that can be imported."""

    def by(method: str) -> Learner:
        return lambda positives, negatives, unlabelled: METHODS[method](positives, negatives, unlabelled).regex

    found = {"thesis' alignment": by("alignment"), "ours": by("default")}
    try:
        builder = importlib.import_module("grex").RegExpBuilder
    except ImportError:
        print("grex is not installed (pip install grex): no peer in this run", file=sys.stderr)
    else:
        found["grex -d -w"] = lambda positives, _n, _u: (
            builder.from_test_cases(positives).with_conversion_of_digits().with_conversion_of_words().build()
        )
    return found


def report(groups: list[dict[str, list[str]]], samples: int) -> None:
    """Print one table row per view, setting, number of examples and learner."""
    print("| view | setting | k | learner | groups | exact | recall | fpr | mean length | median ms |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for setting, count, (name, learner) in itertools.product(("pos", "posneg", "unl"), (2, 3, 5), learners().items()):
        by_track: dict[str, list[list[Score]]] = defaultdict(list)
        for group in groups:
            scores = [score(learner, case) for case in cases(group, setting, count, samples)]
            if scores:
                by_track[str(group["track"])].append(scores)
        for view, tracks in VIEWS.items():
            scored = [scores for track in tracks for scores in by_track[track]]
            if scored:
                print(row((view, setting, str(count), name), scored), flush=True)


def row(head: tuple[str, ...], scored: list[list[Score]]) -> str:
    """One row of the table: averages over groups."""
    exact, recall, wrong, length = (
        mean(mean(float(getattr(s, field)) for s in scores) for scores in scored)
        for field in ("exact", "recall", "false_positives", "length")
    )
    milliseconds = 1000 * median(s.seconds for scores in scored for s in scores)
    cells = (
        *head,
        str(len(scored)),
        f"{exact:.3f}",
        f"{recall:.3f}",
        f"{wrong:.3f}",
        f"{length:.0f}",
        f"{milliseconds:.1f}",
    )
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Read the groups and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("groups", nargs="?", type=Path, default=ROOT.parent / "shared/learnbench/groups.jsonl")
    parser.add_argument("--samples", type=int, default=20, help="samples of a group and setting (default 20)")
    parser.add_argument("--every", type=int, default=1, help="look at every n-th group only")
    arguments = parser.parse_args()
    if not arguments.groups.exists():
        parser.error(f"no such file: {arguments.groups}")
    groups = [json.loads(line) for line in arguments.groups.read_text(encoding="utf-8").splitlines()]
    report(groups[:: arguments.every], arguments.samples)


if __name__ == "__main__":
    main()
