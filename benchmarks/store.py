"""URLs pushed through the scheduler alone, without a network: rate, size and memory.

    python benchmarks/store.py [--urls 5000000] [--order breadth|depth] [--profile]

A made-up site of albums with 100 pictures each: the frontier gets the links of every page that it hands out, hands out
every picture, and is told what became of each. What a page or picture costs elsewhere (fetching, parsing, looking at
bytes, writing files) is left out; making requests and notes is in. Printed are the rate per second of CPU, the bytes
of the store per URL, and the peak of memory.
"""

import argparse
import cProfile
import pstats
import resource
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scrapy import Request, Spider  # noqa: E402 - the project's root comes first
from scrapy.utils.test import get_crawler  # noqa: E402

from picspider.frontier.run.beginning import begin  # noqa: E402
from picspider.frontier.scheduler import Frontier  # noqa: E402
from picspider.frontier.store.store import Store  # noqa: E402
from picspider.output_folder import OutputFolder  # noqa: E402
from picspider.records import Answer, Facts, PageRead, Stored  # noqa: E402
from picspider.visit import Note, attach, meta_of, note_of  # noqa: E402

PICTURES_PER_ALBUM = 100
FACTS = Facts("JPEG", 1600, 1200, ".jpg", 150_000)
BASE = "https://gallery.example"


class Silent(Spider):
    """A spider whose requests the frontier takes for picspider's own."""

    name = "silent"
    reads_notes = True
    store: Store

    def failed(self, _failure: object) -> None:
        """The errback that rows are rebuilt with."""


class Pushed:
    """One frontier, pushed by hand."""

    concurrency = 64

    def __init__(self, folder: Path, order: str, albums: int) -> None:
        self.albums = albums
        self.store = Store(OutputFolder(folder).store_url)
        self.store.acquire()
        begin(self.store, None, "{}")
        settings = {
            "PICSPIDER_ORDER": order,
            "CONCURRENT_REQUESTS": self.concurrency,
            "DUPEFILTER_CLASS": "picspider.frontier.dupefilter.PairDupeFilter",
        }
        crawler = get_crawler(Silent, settings)
        self.spider = Silent()
        self.spider.store = self.store
        crawler.spider = self.spider
        # No request is ever in progress: what was handed out has ended by the next turn.
        idle_scraper = SimpleNamespace(spidermw=SimpleNamespace(methods=defaultdict(list)))
        crawler.engine = SimpleNamespace(crawler=crawler, _slot=None, downloader=None, scraper=idle_scraper)  # type: ignore[assignment]
        self.frontier = Frontier.from_crawler(crawler)
        self.frontier.open(self.spider)

    def run(self) -> int:
        """Push everything through; returns how many URLs came out."""
        frontier = self.frontier
        frontier.enqueue_request(attach(Request(f"{BASE}/"), Note()))
        frontier._turn(0)  # noqa: SLF001 - as the engine's first idle moment does
        count = 0
        while True:
            request = frontier.next_request()
            if request is None:
                frontier._turn(0)  # noqa: SLF001 - as above
                request = frontier.next_request()
                if request is None:
                    return count
            count += 1
            note = note_of(request)
            assert note is not None
            if note.kind == "picture":
                sha256 = f"{note.id:064x}"
                frontier.ledger.end(
                    request, Stored(Answer(200), f"{note.parent}/{note.id}.jpg", note.id, sha256, FACTS)
                )
                self.looked(-1)
                continue
            links = self.links(request, note)
            frontier.ledger.end(request, PageRead(Answer(200), len(links), note.id))
            for link in links:
                frontier.enqueue_request(link)
            self.looked(len(links) - 1)

    def looked(self, more: int) -> None:
        """One URL is through, and so many *more* wait than before."""

    def links(self, request: Request, note: Note) -> list[Request]:
        """What a page of the made-up site links to."""
        if note.layer == 0:
            paths, kind = [f"{BASE}/album/{number}/" for number in range(self.albums)], "page"
        else:
            album = request.url.rsplit("/", 2)[1]
            names = range(PICTURES_PER_ALBUM)
            paths, kind = [f"{BASE}/full/{album}/{number:04}-{album}.jpg" for number in names], "picture"
        parse, failed = self.spider.parse, self.spider.failed
        notes = (
            Note(
                layer=note.layer + 1, kind=kind, parent=note.id, parent_url=request.url, position=n, text=f"Picture {n}"
            )  # type: ignore[arg-type]  # one of the two kinds
            for n in range(len(paths))
        )
        return [
            Request(path, parse, dont_filter=True, errback=failed, meta=meta_of(placed))
            for path, placed in zip(paths, notes, strict=True)
        ]


def main() -> int:
    """Push and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=int, default=5_000_000)
    parser.add_argument("--order", choices=["breadth", "depth"], default="breadth")
    parser.add_argument("--profile", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        pushed = Pushed(folder, arguments.order, max(1, arguments.urls // (PICTURES_PER_ALBUM + 1)))
        before_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        profile = cProfile.Profile()
        cpu, wall = time.process_time(), time.monotonic()
        count = profile.runcall(pushed.run) if arguments.profile else pushed.run()
        cpu, wall = time.process_time() - cpu, time.monotonic() - wall
        peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        size = sum(file.stat().st_size for file in folder.glob("crawl.db*"))
    print(f"{arguments.order}: {count:,} URLs in {cpu:.0f} s of CPU ({wall:.0f} s): {1e6 * cpu / count:.1f} µs a URL, "
          f"{count / cpu:,.0f} URLs a second; {size / count:.0f} bytes a URL on disk; "
          f"peak memory {peak_mb:.0f} MB ({before_mb:.0f} MB before the first URL)")  # fmt: skip
    if arguments.profile:
        pstats.Stats(profile).sort_stats("tottime").print_stats(30)
    return 0


if __name__ == "__main__":
    sys.exit(main())
