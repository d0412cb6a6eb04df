"""How many URLs each order holds at once: the thesis' comparison (*Mass picture downloader*, 3.1), measured.

    python benchmarks/orders.py

A made-up site of n layers: every page lists S links, every list has a pages. The frontier alone is pushed, one request
at a time, so that the orders are exact. Printed are the most rows that waited at once, beside what the thesis expects
(breadth-first (S·a)^n in the last layer; depth-first one path: about n·S and the next pages), and the peak of memory.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scrapy import Request  # noqa: E402 - the project's root comes first

from benchmarks.store import Pushed  # noqa: E402
from picspider.visit import Note, meta_of  # noqa: E402

SITES = ((10, 1, 2), (10, 1, 3), (10, 1, 4), (5, 2, 4), (3, 3, 4), (25, 4, 2), (3, 1, 8))


class Tree(Pushed):
    """A frontier with a site of *shape* (S, a, n) in front of it."""

    concurrency = 1

    def __init__(self, folder: Path, order: str, shape: tuple[int, int, int]) -> None:
        super().__init__(folder, order, 0)
        self.shape = shape
        self.waiting = self.most_waiting = 1

    def looked(self, more: int) -> None:
        """See `Pushed`."""
        self.waiting += more
        self.most_waiting = max(self.most_waiting, self.waiting)

    def links(self, request: Request, note: Note) -> list[Request]:
        """S links to the next layer, and one to the next page while there are less than a."""
        links, pages, layers = self.shape
        layer = note.layer + 1
        kind = "picture" if layer == layers else "page"
        found = [
            (f"{request.url}{number}/", Note(layer=layer, kind=kind, parent=note.id, position=number))  # type: ignore[arg-type]  # one of the two kinds
            for number in range(links)
        ]
        if note.page < pages:
            chain = note.chain or note.id
            following = Note(layer=note.layer, page=note.page + 1, parent=note.id, position=links, chain=chain)
            found.append((f"{request.url}next/", following))
        parse, failed = self.spider.parse, self.spider.failed
        return [Request(url, parse, dont_filter=True, errback=failed, meta=meta_of(placed)) for url, placed in found]


def measure(order: str, shape: tuple[int, int, int]) -> None:
    """Push one site and print its line."""
    with tempfile.TemporaryDirectory() as temporary:
        tree = Tree(Path(temporary), order, shape)
        count = tree.run()
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    links, pages, layers = shape
    expected = (links * pages) ** layers if order == "breadth" else layers * links + (layers if pages > 1 else 0)
    print(f"| {links} | {pages} | {layers} | {count:,} | {order} | {tree.most_waiting:,} | {expected:,} "
          f"| {peak_mb:.0f} |", flush=True)  # fmt: skip


def main() -> int:
    """Measure every site in both orders, each in a process of its own, so that the memory is its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--one", nargs=4, metavar=("ORDER", "S", "A", "N"), help="just this one")
    arguments = parser.parse_args()
    if arguments.one:
        order, *shape = arguments.one
        links, pages, layers = map(int, shape)
        measure(order, (links, pages, layers))
        return 0
    print(
        "| S links | a pages | n layers | URLs | order | most waiting | thesis | peak memory (MB) |\n"
        + "|---" * 8
        + "|"
    )
    for site in SITES:
        for order in ("breadth", "depth"):
            subprocess.run([sys.executable, __file__, "--one", order, *map(str, site)], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
