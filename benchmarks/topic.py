"""Focused crawls of a local web, by order: how many fetches until most pages of a topic are found.

    python benchmarks/topic.py --cache FOLDER [--topic NAME]… [--wordings] [--plot FILE.svg] [--json FILE]

Downloads four Debian packages into the cache folder on first use (700 MB unpacked). Orders: breadth-first,
depth-first, random (median of three), the one-step oracle, and best-first by each model; `+explore` gives every
sixth fetch to the oldest link. Relevance is a page's place in the site, which no crawl sees. The default model and
`vsm-4b-c` get the topic's wording, `tfidf-seed` needs pages and gets three of the topic; `seeds` is the default
model with the same three.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from statistics import median
from time import perf_counter

from topic_cases import Case, cases
from topic_orders import at_random, best_first, breadth_first, depth_first, one_step_oracle
from topic_web import Web, load

from picspider.topic import DEFAULT_MODEL, MODELS, Topic

RECALL = 0.8
SEEDS = 3
EXPLORE_EVERY = 6
BASELINE = "breadth"
COLUMNS = ("breadth", "depth", "random", "oracle", "vsm-4b-c", "tfidf-seed", "seeds", "default", "+explore")


@dataclass(frozen=True, slots=True)
class Run:
    """One crawl: the number of fetches at which each relevant page was found, up to the wanted recall."""

    found_at: tuple[int, ...]

    @property
    def fetches(self) -> int:
        """Fetches to the wanted recall."""
        return self.found_at[-1]

    @property
    def harvest_rate(self) -> float:
        """Relevant pages per fetch, up to there."""
        return len(self.found_at) / self.fetches


def crawl(order: Iterator[str], relevant: frozenset[str]) -> Run:
    """Follow *order* until `RECALL` of the relevant pages are found."""
    wanted = ceil(RECALL * len(relevant))
    found_at = []
    for fetches, path in enumerate(order, start=1):
        if path in relevant:
            found_at.append(fetches)
        if len(found_at) == wanted:
            break
    return Run(tuple(found_at))


def orders_of(case: Case, web: Web) -> dict[str, list[Iterator[str]]]:
    """Every order to run for *case*, by column; several iterators where the median of several runs is wanted."""
    topic = Topic.from_text(case.wordings[0])
    seeds = Topic.from_pages(case.seeds(web, SEEDS))
    default = MODELS[DEFAULT_MODEL]
    return {
        "breadth": [breadth_first(web)],
        "depth": [depth_first(web)],
        "random": [at_random(web, seed) for seed in range(3)],
        "oracle": [one_step_oracle(web, case.relevant(web))],
        "vsm-4b-c": [best_first(web, MODELS["vsm-4b-c"](topic))],
        "tfidf-seed": [best_first(web, MODELS["tfidf-seed"](seeds))],
        "seeds": [best_first(web, default(seeds))],
        "default": [best_first(web, default(topic))],
        "+explore": [best_first(web, default(topic), EXPLORE_EVERY)],
    }


def run_case(case: Case, web: Web) -> dict[str, Run]:
    """The run of each order; of several, the middle one."""
    relevant = case.relevant(web)
    runs = {}
    for column, orders in orders_of(case, web).items():
        done = sorted((crawl(order, relevant) for order in orders), key=lambda run: run.fetches)
        runs[column] = done[len(done) // 2]
    return runs


def print_table(results: dict[Case, dict[str, Run]], webs: dict[str, Web]) -> None:
    """Fetches to the wanted recall by topic and order, then the ratios to breadth-first."""
    print(f"fetches to {RECALL:.0%} of the relevant pages")
    print(f"{'topic':22}{'pages':>6}{'rel.':>6}" + "".join(f"{column:>11}" for column in COLUMNS))
    for case, runs in results.items():
        web = webs[case.site]
        head = f"{case.name:22}{len(web.pages):6}{len(case.relevant(web)):6}"
        print(head + "".join(f"{runs[column].fetches:11}" for column in COLUMNS))
    for title, figure in (("median", median), ("least", min)):
        ratios = [figure(runs[BASELINE].fetches / runs[c].fetches for runs in results.values()) for c in COLUMNS]
        print(f"{'times fewer, ' + title:34}" + "".join(f"{ratio:11.2f}" for ratio in ratios))
    rates = [median(runs[column].harvest_rate for runs in results.values()) for column in COLUMNS]
    print(f"{'harvest rate, median':34}" + "".join(f"{rate:11.2f}" for rate in rates))


def print_wordings(results: dict[Case, dict[str, Run]], webs: dict[str, Web]) -> None:
    """The default model under each wording of the topics, to see whether it hangs on the choice of words."""
    default = MODELS[DEFAULT_MODEL]
    for explore_every in (0, EXPLORE_EVERY):
        for index, label in enumerate(("list of words", "two or three words", "a sentence")):
            ratios = {}
            for case, runs in results.items():
                web = webs[case.site]
                order = best_first(web, default(Topic.from_text(case.wordings[index])), explore_every)
                ratios[case.name] = runs[BASELINE].fetches / crawl(order, case.relevant(web)).fetches
            worse = ", ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items() if ratio < 1)
            head = f"{label}{' +explore' if explore_every else ''}"
            print(f"{head:34}median {median(ratios.values()):5.2f}, least {min(ratios.values()):.2f}; below 1: {worse}")


def plot(results: dict[Case, dict[str, Run]], file: Path) -> None:
    """Pages found over fetches, a small picture for each topic, into *file* (SVG or PNG)."""
    from matplotlib import pyplot as plt  # noqa: PLC0415 -- only for those who plot

    across = 4
    down = ceil(len(results) / across)
    figure, axes = plt.subplots(down, across, figsize=(16, 3 * down + 1), squeeze=False, layout="constrained")
    for axis, (case, runs) in zip(axes.flat, results.items(), strict=False):
        for column in COLUMNS:
            found_at = runs[column].found_at
            width = 3 if column == "default" else 1
            axis.plot(found_at, range(1, len(found_at) + 1), label=column, linewidth=width)
        axis.set_xscale("log")
        axis.set_title(f"{case.name} ({case.site})", fontsize=9)
    for axis in list(axes.flat)[len(results) :]:
        axis.axis("off")
    figure.legend(COLUMNS, loc="outside upper center", ncol=len(COLUMNS))
    figure.supxlabel("pages fetched")
    figure.supylabel("pages on the topic found")
    figure.savefig(file)


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, required=True, help="folder for the unpacked packages")
    parser.add_argument("--topic", action="append", help="only this topic; may be given several times")
    parser.add_argument("--wordings", action="store_true", help="the default model under all wordings, too")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw pages found over fetches (needs matplotlib)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the fetches of every order")
    arguments = parser.parse_args()
    started = perf_counter()
    chosen = [case for case in cases() if not arguments.topic or case.name in arguments.topic]
    webs = {site: load(site, arguments.cache) for site in dict.fromkeys(case.site for case in chosen)}
    results = {case: run_case(case, webs[case.site]) for case in chosen}
    print_table(results, webs)
    if arguments.wordings:
        print_wordings(results, webs)
    if arguments.plot:
        plot(results, arguments.plot)
    if arguments.json:
        table = {case.name: {column: run.fetches for column, run in runs.items()} for case, runs in results.items()}
        arguments.json.write_text(json.dumps(table, indent=1, ensure_ascii=False), encoding="utf-8")
    print(f"{perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
