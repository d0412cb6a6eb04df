"""How many "seen?" tests a bounded cache answers, by its size and policy.

    python benchmarks/url_caching.py [--references 1000000] [--package debian-handbook] [--svg FILE] [--seed 1]

After Broder, Najork and Wiener, *Efficient URL Caching for World Wide Web Crawling* (WWW 2003): a trace of URLs, as the
links of crawled pages are met, goes through caches of growing size: INFINITE (the hits there are at all), MIN (Belady's
clairvoyant one), LRU, CLOCK, RANDOM, and STATIC (the most frequent URLs of the first tenth). One trace is a made-up web
crawled by 100 threads, one the links of a Debian documentation package, fetched by apt-get, in breadth-first order.
"""

import argparse
import heapq
import random
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from picspider.frontier.seen_cache import ClockCache, LruCache, RandomCache, SeenCache  # noqa: E402 - root comes first
from picspider.links.page import Page  # noqa: E402
from tests.debian import unpacked  # noqa: E402

Trace = list[int]
THREADS = 100
REMOTE_LINKS, LOCAL_LINKS, TEMPLATE_LINKS = 2, 8, 10
PAGES_PER_HOST = 60


def synthetic(references: int, seed: int, threads: int = THREADS) -> Trace:
    """A made-up web as *threads* crawlers meet it, each at a host of its own.

    On every page are the host's template, some pages near by, and home pages of other hosts, drawn by Zipf's law.
    """
    draw = random.Random(seed)
    hosts = max(threads, references // 200)
    crawlers = [_host_pages(draw, hosts) for _ in range(threads)]
    trace: Trace = []
    while len(trace) < references:
        number = draw.randrange(threads)
        page = next(crawlers[number], None)
        if page is None:
            crawlers[number] = _host_pages(draw, hosts)
        else:
            trace += page
    return trace[:references]


def _host_pages(draw: random.Random, hosts: int) -> Iterator[Trace]:
    """The links of one host's pages, page by page. URLs are numbers: host · 100,000 + page."""
    base = draw.randrange(hosts) * 100_000
    pages = 1 + int(draw.expovariate(1 / PAGES_PER_HOST))
    for page in range(pages):
        links = [base + link for link in range(TEMPLATE_LINKS)]
        links += [base + max(0, page + draw.randint(-5, 20)) for _ in range(LOCAL_LINKS)]
        links += [_zipf(draw, hosts) * 100_000 for _ in range(REMOTE_LINKS)]
        draw.shuffle(links)
        yield links


def _zipf(draw: random.Random, most: int) -> int:
    """A number below *most*; k + 1 comes up with odds of about 1 / (k + 1)."""
    return int(most ** draw.random()) - 1


def of_package(package: str) -> Trace:
    """The links between the pages of a Debian documentation package, page by page, breadth-first over each folder."""
    folder = unpacked(package)
    pages = sorted(folder.rglob("*.html"))
    urls = {file: f"http://doc.example/{file.relative_to(folder).as_posix()}" for file in pages}
    known = {url: file for file, url in urls.items()}
    numbers: dict[str, int] = {}
    trace: Trace = []
    seen: set[str] = set()
    for start in pages:
        queue = deque([urls[start]])
        while queue:
            url = queue.popleft()
            if url in seen or url not in known:
                continue
            seen.add(url)
            for link in Page(url, known[url].read_bytes()).links():
                trace.append(numbers.setdefault(link.url, len(numbers)))
                queue.append(link.url)
    return trace


def hit_rate(trace: Trace, cache: SeenCache[int]) -> float:
    """Share of *trace* that *cache* knew."""
    for url in trace:
        key = str(url)
        if cache.get(key) is None:
            cache.put(key, 1)
    return cache.hit_rate


def infinite(trace: Trace) -> float:
    """Share of *trace* that was there before at all."""
    return 1 - len(set(trace)) / len(trace)


def static(trace: Trace, size: int) -> float:
    """Share of *trace* among the *size* most frequent URLs of its first tenth."""
    kept = {url for url, _ in Counter(trace[: len(trace) // 10]).most_common(size)}
    met: set[int] = set()
    hits = 0
    for url in trace:
        hits += url in kept and url in met
        met.add(url)
    return hits / len(trace)


def belady(trace: Trace, size: int) -> float:
    """Share of *trace* that a cache knows which forgets what is not asked for the longest from now on."""
    following = [len(trace)] * len(trace)
    last: dict[int, int] = {}
    for place in range(len(trace) - 1, -1, -1):
        following[place] = last.get(trace[place], len(trace))
        last[trace[place]] = place
    held: dict[int, int] = {}
    farthest: list[tuple[int, int]] = []
    hits = 0
    for url, coming in zip(trace, following, strict=True):
        hits += url in held
        held[url] = coming
        heapq.heappush(farthest, (-coming, url))
        while len(held) > size:
            away, candidate = heapq.heappop(farthest)
            if held.get(candidate) == -away:
                del held[candidate]
    return hits / len(trace)


POLICIES: dict[str, Callable[[Trace, int], float]] = {
    "MIN": belady,
    "LRU": lambda trace, size: hit_rate(trace, LruCache(size)),
    "CLOCK": lambda trace, size: hit_rate(trace, ClockCache(size)),
    "RANDOM": lambda trace, size: hit_rate(trace, RandomCache(size)),
    "STATIC": static,
}


def rates(trace: Trace, sizes: list[int]) -> dict[str, list[float]]:
    """Hit rate by policy, for each of *sizes*."""
    found = {name: [policy(trace, size) for size in sizes] for name, policy in POLICIES.items()}
    return {"INFINITE": [infinite(trace)] * len(sizes), **found}


def sizes_for(trace: Trace) -> list[int]:
    """Powers of two from 64 to beyond the number of different URLs, at most 2^17."""
    different = len(set(trace))
    return [2**power for power in range(6, 18) if 2 ** (power - 1) < different]


def table(sizes: list[int], found: dict[str, list[float]]) -> str:
    """The rates as Markdown."""
    lines = ["| entries | " + " | ".join(found) + " |", "|---" * (len(found) + 1) + "|"]
    for place, size in enumerate(sizes):
        lines.append(f"| {size:,} | " + " | ".join(f"{values[place]:.3f}" for values in found.values()) + " |")
    return "\n".join(lines)


def plot(results: dict[str, tuple[list[int], dict[str, list[float]]]], file: Path) -> None:
    """Draw hit rate against size, a panel for each trace."""
    import matplotlib as mpl  # noqa: PLC0415 - for --svg only

    mpl.use("svg")
    from matplotlib import pyplot as plt  # noqa: PLC0415 - after the backend is chosen

    figure, panels = plt.subplots(1, len(results), figsize=(6 * len(results), 4.5), squeeze=False, sharey=True)
    for panel, (name, (sizes, found)) in zip(panels[0], results.items(), strict=True):
        for policy, values in found.items():
            panel.plot(sizes, values, marker=".", label=policy)
        panel.set(xscale="log", title=name, xlabel="entries", ylim=(0, 1))
        panel.grid(alpha=0.3)
    panels[0][0].set_ylabel("hit rate")
    panels[0][-1].legend()
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})


def main() -> int:
    """Replay, print, and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--references", type=int, default=1_000_000)
    parser.add_argument("--package", default="debian-handbook")
    parser.add_argument("--svg", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    results = {}
    for name, trace in (
        (f"synthetic web, {THREADS} threads", synthetic(arguments.references, arguments.seed)),
        (arguments.package, of_package(arguments.package)),
    ):
        sizes = sizes_for(trace)
        found = rates(trace, sizes)
        results[name] = (sizes, found)
        print(f"\n{name}: {len(trace):,} references, {len(set(trace)):,} URLs\n\n{table(sizes, found)}", flush=True)
    if arguments.svg:
        plot(results, arguments.svg)
    return 0


if __name__ == "__main__":
    sys.exit(main())
