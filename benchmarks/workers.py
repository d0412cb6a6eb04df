"""Several worker processes on one store against one: wall time, and whose processor time it was.

    python benchmarks/workers.py --site FOLDER [--workers 1,2] [--stores sqlite,postgresql] [--reps 3] [--root /dev/shm]

Crawls the harness' site (``make_site.py FOLDER --size medium``) as `scrapy crawl layered` does, from an nginx of its
own and into folders under ``--root``; a PostgreSQL of its own, fsync on, has its data there too. The runs take turns,
so that what else the machine does falls on all of them. Every run has to end with as many records in each feed.
SQLite takes one worker. Printed are medians, and the wall time of one worker on the same store over that of several.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.nginx import find_nginx, serving  # noqa: E402 - the project's root comes first
from tests.postgres import find_postgres, postgres  # noqa: E402

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

CONFIG = """\
entry: {base}/
layers: ['/list/\\d+\\.html$', '/g/[^/]+/(page\\d+\\.html)?$', '/g/[^/]+/p\\d+\\.html$', '/g/[^/]+/full/[^/]+$']
next_page: {{rel: next}}
fetch: {{concurrency: 64, per_host: 64, retries: 0}}
"""
REFUSED = 'location ~ "/full/.*-e5[.]" { return 500; }'
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Run:
    """One crawl; all in seconds."""

    wall: float
    workers: float
    database: float
    nginx: float


def main() -> int:
    """Run all kinds in turns and print the table."""
    options = _options()
    programs, nginx = find_postgres(), find_nginx()
    if programs is None or nginx is None:
        print("needs PostgreSQL and nginx: apt-get install postgresql nginx-light", file=sys.stderr)
        return 1
    kinds = [(store, int(n)) for store in options.stores.split(",") for n in options.workers.split(",")]
    kinds = [(store, n) for store, n in kinds if store != "sqlite" or n == 1]
    runs: dict[tuple[str, int], list[Run]] = {kind: [] for kind in kinds}
    ends = set()
    with tempfile.TemporaryDirectory(prefix="picspider-", dir=options.root) as name:
        folder = Path(name)
        with serving(nginx, options.site / "www", folder / "nginx", REFUSED) as server:
            for turn in range(options.reps):
                for store, workers in kinds:
                    place = folder / f"{store}-{workers}-{turn}"
                    place.mkdir()
                    database = postgres(programs, place / "postgres", fsync=True) if store == "postgresql" else None
                    run, end = crawl(place, CONFIG.format(base=server.base), database, workers)
                    print(f"{store} {workers}: {run} {end}", flush=True)
                    runs[store, workers].append(run)
                    ends.add(end)
                    subprocess.run(["rm", "-rf", str(place)], check=True)
    print(_table(runs))
    if len(ends) > 1:
        print(f"not all runs ended alike: {ends}", file=sys.stderr)
    return len(ends) > 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--stores", default="sqlite,postgresql")
    parser.add_argument("--site", type=Path, required=True, help="a folder that ../shared/bench/make_site.py made")
    parser.add_argument("--reps", type=int, default=3)
    parser.add_argument("--root", type=Path, default=Path("/dev/shm") if Path("/dev/shm").is_dir() else None)
    return parser.parse_args()


def crawl(
    place: Path, config: str, database: AbstractContextManager[str] | None, workers: int
) -> tuple[Run, tuple[int, ...]]:
    """Crawl once with so many *workers*; what it took, and how many records the feeds have."""
    with database or nullcontext("") as url:
        text = config + (f"store: {url}\n" if url else "")
        (place / "site.yaml").write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "scrapy", "crawl", "layered"]
        command += ["-a", f"config={place / 'site.yaml'}", "-a", f"output={place / 'out'}", "-L", "WARNING"]
        environment = {**os.environ, "SCRAPY_SETTINGS_MODULE": "picspider.settings", "PYTHONPATH": str(ROOT)}
        before = _spent(place / "postgres"), _spent(place.parent / "nginx"), _of_children()
        began = time.perf_counter()
        processes = [subprocess.Popen(command, cwd=ROOT, env=environment) for _ in range(workers)]
        try:
            codes = [process.wait() for process in processes]
        finally:
            for process in processes:
                process.kill()
        if any(codes):
            raise RuntimeError(f"workers ended with {codes}")
        wall = time.perf_counter() - began
        after = _spent(place / "postgres"), _spent(place.parent / "nginx"), _of_children()
    spent = [later - sooner for sooner, later in zip(before, after, strict=True)]
    feeds = ("tree", "pictures", "failures", "repeats", "skips")
    counts = tuple(len(json.loads((place / "out" / f"{feed}.json").read_text(encoding="utf-8"))) for feed in feeds)
    return Run(wall, spent[2], spent[0], spent[1]), counts


def _of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _spent(folder: Path) -> float:
    """Processor time of the server whose files are in *folder*, and of its children, ended ones as well."""
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            ours = str(folder).encode() in (stat.parent / "cmdline").read_bytes()
            inside = (stat.parent / "cwd").resolve().is_relative_to(folder)
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        if ours or inside:
            # Own time; and, of the first process, that of its children which have ended.
            total += sum(int(fields[place]) for place in (11, 12, *((13, 14) if ours else ())))
    return total / TICKS


def _table(runs: dict[tuple[str, int], list[Run]]) -> str:
    lines = [
        "| store | workers | wall s | against one | CPU s: workers | database | nginx | runs |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for (store, workers), several in runs.items():
        ratios = [one.wall / run.wall for one, run in zip(runs.get((store, 1), []), several, strict=False)]
        ratio = f"{statistics.median(ratios):.2f}" if ratios else ""
        figures = [
            f"{statistics.median(getattr(run, name) for run in several):.1f}"
            for name in ("wall", "workers", "database", "nginx")
        ]
        cells = [store, str(workers), figures[0], ratio, *figures[1:], str(len(several))]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
