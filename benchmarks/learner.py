"""How well a layer's expression is learned: the thesis' alignment, grex where it is installed, ours.

    python benchmarks/learner.py [GROUPS.jsonl] [--samples N] [--every N] [--processes N]

GROUPS.jsonl is a list of groups of public URLs (default: ../shared/learnbench/groups.jsonl). Each group
has positives (the layer) and negatives (the site's other links). For k examples a learner gets `pos`: no
negatives; `posneg`: half of the negatives; `unl`: no negatives, but that half mixed with half of the unseen
positives, unlabelled. Samples, halves and orders are those of the scorer that comes with the groups.

Printed is a row per setting, k and learner: exact (each unseen positive matched and no scored negative) on
three views of the groups; on the core also recall, false positives, mean length, median milliseconds, and
safe, the part of the expressions (one a group) that no string of 20 kB keeps busy for half a second. All
but the milliseconds are averaged over the samples of a group and then over the groups. With 20 samples and
two processes the 303 groups take ten minutes; the thesis' method takes most of them.
"""

import argparse
import importlib
import itertools
import json
import math
import random
import re
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from hashlib import sha1
from pathlib import Path
from statistics import mean, median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from picspider.learn import METHODS  # noqa: E402 - the project's root comes first

Learner = Callable[[list[str], list[str], list[str]], str]
SETTINGS, COUNTS = ("pos", "posneg", "unl"), (2, 3, 5)
VIEWS = {"core": ("uniform", "page", "pager"), "page+pager": ("page", "pager"), "mixed": ("mixed",)}
FILLERS = ("a", "0", "-", "/", "aA0_", "a-", "a/", "a=1&", "%20", ".", "-0", "a_")
UNSAFE_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Case:
    """What a learner is given, and what is scored."""

    given: tuple[list[str], list[str], list[str]]
    unseen: list[str]
    refused: list[str]


@dataclass(frozen=True, slots=True)
class Score:
    """One answer; `safe` is None where it was not looked at."""

    exact: bool
    recall: float
    false_positives: float
    length: int
    seconds: float
    safe: bool | None


class _TooLongError(Exception):
    """Raised by the alarm inside of a match."""


def digest(text: str) -> str:
    """What orders and seeds come from."""
    return sha1(text.encode()).hexdigest()


def samples(name: str, total: int, count: int, most: int) -> list[tuple[int, ...]]:
    """At most `most` different choices of `count` out of `total` positives."""
    if total < count + 1:
        return []
    if math.comb(total, count) <= most:
        return list(itertools.combinations(range(total), count))
    draw = random.Random(int(digest(f"{name}:{count}")[:12], 16))
    found: dict[tuple[int, ...], None] = {}
    while len(found) < most:
        found[tuple(sorted(draw.sample(range(total), count)))] = None
    return list(found)


def cases(group: dict[str, Any], setting: str, count: int, most: int) -> Iterator[Case]:
    """The samples of a group in one setting; none when the group is too small for it."""
    positives, name = group["positives"], group["id"]
    negatives = sorted(group["negatives"], key=lambda url: digest(name + "neg" + url))
    half = len(negatives) // 2
    if setting != "pos" and not half:
        return
    given, refused = ([], negatives) if setting == "pos" else (negatives[:half], negatives[half:])
    for chosen in samples(name, len(positives), count, most):
        examples = [positives[index] for index in chosen]
        unseen = [url for index, url in enumerate(positives) if index not in chosen]
        if setting != "unl":
            yield Case((examples, given, []), unseen, refused)
        elif len(unseen) > 1:
            unseen.sort(key=lambda url: digest(name + "unl" + url))
            cut = len(unseen) // 2
            mixed = sorted(unseen[:cut] + given, key=lambda url: digest(name + "mix" + url))
            yield Case((examples, [], mixed), unseen[cut:], refused)


def score(regex: str, seconds: float, case: Case, *, attack: bool) -> Score:
    """How good one answer is."""
    fits = re.compile(regex).fullmatch
    recall = mean(fits(url) is not None for url in case.unseen)
    wrong = mean(fits(url) is not None for url in case.refused) if case.refused else 0.0
    safe = withstands(regex, case.given[0][0]) if attack else None
    return Score(recall == 1 and wrong == 0, recall, wrong, len(regex), seconds, safe)


@lru_cache(maxsize=4096)
def withstands(regex: str, url: str) -> bool:
    """Whether no long string near `url` keeps the expression busy: first of 2 kB, then of 20 kB."""
    fits = re.compile(regex).fullmatch
    parts = re.split(r"(?<=[/?=&#])", url)
    signal.signal(signal.SIGALRM, _too_long)
    try:
        for size_bytes, filler in itertools.product((2_000, 20_000), FILLERS):
            for index in range(4, len(parts) + 1):
                text = "".join(parts[:index]) + filler * (size_bytes // len(filler)) + "".join(parts[index:]) + "\0"
                signal.setitimer(signal.ITIMER_REAL, UNSAFE_SECONDS)
                fits(text)
    except _TooLongError:
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return True


def _too_long(*_: object) -> None:
    raise _TooLongError


@cache
def learners() -> dict[str, Learner]:
    """The peers that can be imported, and ours."""

    @lru_cache(maxsize=256)
    def aligned(positives: tuple[str, ...]) -> str:
        return METHODS["alignment"](positives, (), ()).regex

    found: dict[str, Learner] = {"thesis' alignment": lambda positives, _n, _u: aligned(tuple(positives))}
    try:
        builder = importlib.import_module("grex").RegExpBuilder
    except ImportError:
        print("grex is not installed (pip install grex): no peer in this run", file=sys.stderr)
    else:
        found["grex -d -w"] = lambda positives, _n, _u: (
            builder.from_test_cases(positives).with_conversion_of_digits().with_conversion_of_words().build()
        )
    found["**ours**"] = lambda *given: METHODS["default"](*given).regex
    return found


def scored(group: dict[str, Any], most: int) -> list[tuple[tuple[str, int, str], list[Score]]]:
    """All scores of one group by setting, number of examples and learner."""
    known: dict[tuple[str, ...], float] = {}
    found = []
    for setting, count, (name, learner) in itertools.product(SETTINGS, COUNTS, learners().items()):
        scores: list[Score] = []
        for case in cases(group, setting, count, most):
            start = time.perf_counter()
            regex = learner(*case.given)
            seconds = time.perf_counter() - start
            # the alignment looks at the examples only, and answers from its memory the second time
            if name.startswith("thesis"):
                seconds = known.setdefault(tuple(case.given[0]), seconds)
            scores.append(score(regex, seconds, case, attack=not scores))
        if scores:
            found.append(((setting, count, name), scores))
    return found


def report(groups: list[dict[str, Any]], most: int, processes: int) -> None:
    """Print one table row per setting, number of examples and learner."""
    table: dict[tuple[str, int, str], dict[str, list[list[Score]]]] = defaultdict(lambda: defaultdict(list))
    with ProcessPoolExecutor(processes) as pool:
        for group, found in zip(groups, pool.map(partial(scored, most=most), groups, chunksize=4), strict=True):
            for key, scores in found:
                for view, tracks in VIEWS.items():
                    if group["track"] in tracks:
                        table[key][view].append(scores)
    views = " | ".join(f"exact {view}" for view in VIEWS)
    print(f"| setting | k | learner | {views} | recall | fpr | mean length | median ms | safe |")
    print("|---" * (len(VIEWS) + 8) + "|")
    for key in itertools.product(SETTINGS, COUNTS, learners()):
        if table[key]["core"]:
            print(row(key, table[key]), flush=True)


def row(key: tuple[str, int, str], views: dict[str, list[list[Score]]]) -> str:
    """One row of the table: exact on each view, the rest on the core."""
    core = views["core"]

    def average(groups: list[list[Score]], field: str) -> float:
        return mean(mean(float(getattr(s, field)) for s in scores) for scores in groups) if groups else math.nan

    milliseconds = 1000 * median(s.seconds for scores in core for s in scores)
    safe = mean(bool(scores[0].safe) for scores in core)
    cells = [*map(str, key)]
    cells += [f"{average(views[view], 'exact'):.3f}" for view in VIEWS]
    cells += [f"{average(core, 'recall'):.3f}", f"{average(core, 'false_positives'):.3f}"]
    cells += [f"{average(core, 'length'):.0f}", f"{milliseconds:.1f}", f"{safe:.3f}"]
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Read the groups and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("groups", nargs="?", type=Path, default=ROOT.parent / "shared/learnbench/groups.jsonl")
    parser.add_argument("--samples", type=int, default=20, help="samples of a group and setting (default 20)")
    parser.add_argument("--every", type=int, default=1, help="look at every n-th group only")
    parser.add_argument("--processes", type=int, default=2, help="groups looked at side by side (default 2)")
    arguments = parser.parse_args()
    if not arguments.groups.exists():
        parser.error(f"no such file: {arguments.groups}")
    groups = [json.loads(line) for line in arguments.groups.read_text(encoding="utf-8").splitlines()]
    report(groups[:: arguments.every], arguments.samples, arguments.processes)


if __name__ == "__main__":
    main()
