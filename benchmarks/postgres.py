"""What a shared store on PostgreSQL carries: rows entered, leased and ended per second by several workers at once.

    python benchmarks/postgres.py [--workers 8] [--urls 200000] [--rows 100]

A PostgreSQL of its own (Debian's programs, on a free port, its data in a temporary folder, fsync on). Each worker is a
process that does what a crawl does with the store and nothing else: it enters its part of the URLs in batches, then
leases rows and ends them, --rows at a time, until none is left. Printed are the rates, how much processor time the
server and the workers took, and what a row takes on the disk.
"""

import argparse
import multiprocessing
import resource
import sys
import tempfile
import time
from multiprocessing.synchronize import Barrier
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sqlalchemy import create_engine, text  # noqa: E402 - the project's root comes first

from picspider.frontier.run.beginning import begin  # noqa: E402
from picspider.frontier.store.store import Store  # noqa: E402
from picspider.frontier.turn.batch import Batch, Want  # noqa: E402
from picspider.frontier.turn.turn import turn  # noqa: E402
from picspider.records import Answer, PageRead, Sighting  # noqa: E402
from picspider.urls import fingerprint  # noqa: E402
from tests.postgres import find_postgres, postgres  # noqa: E402

ENTERED_AT_ONCE = 500
HOSTS = 50


def sighting(number: int) -> Sighting:
    """A link to the URL *number*."""
    host = f"host{number % HOSTS}.example"
    url = f"https://{host}/album/{number // 100}/photo-{number}.html"
    return Sighting(url, fingerprint(url), f"{host}:443", 2, 1, "page", 1, number, 0, f"photo {number}", -2, 0)


def work(database: str, numbers: range, rows: int, phase: Barrier) -> None:
    """One worker: its URLs go in, then whatever waits is leased and ended."""
    store = Store(database)
    begin(store, None, "{}")
    phase.wait()
    for start in range(0, len(numbers), ENTERED_AT_ONCE):
        turn(store, Batch(sightings=[sighting(one) for one in numbers[start : start + ENTERED_AT_ONCE]]), Want(0))
    phase.wait()
    phase.wait()
    batch = Batch()
    while True:
        taken = turn(store, batch, Want(rows)).rows
        if not taken:
            break
        batch = Batch(outcomes={row.id: PageRead(Answer(200), 1, 0) for row in taken})
    phase.wait()
    store.leave()
    store.close()


def server_seconds(folder: Path) -> float:
    """Processor time of all processes whose data is in *folder*, those that have ended left out."""
    total = 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            inside = (stat.parent / "cwd").resolve()
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        if inside.is_relative_to(folder):
            total += (int(fields[11]) + int(fields[12])) / 100
    return total


def measure(database: str, folder: Path, workers: int, urls: int, rows: int) -> None:
    """Run the workers and print what was measured."""
    Store(database).close()
    context = multiprocessing.get_context("spawn")
    phase = context.Barrier(workers + 1)
    processes = [
        context.Process(target=work, args=(database, range(part, urls, workers), rows, phase))
        for part in range(workers)
    ]
    for process in processes:
        process.start()
    phase.wait()
    began, used = time.perf_counter(), server_seconds(folder)
    phase.wait()
    entered = time.perf_counter() - began
    print(f"entered: {urls / entered:,.0f} rows a second by {workers} workers")
    phase.wait()
    began, before = time.perf_counter(), server_seconds(folder)
    phase.wait()
    leased, after = time.perf_counter() - began, server_seconds(folder)
    for process in processes:
        process.join()
    print(f"leased and ended: {urls / leased:,.0f} rows a second, {urls / rows / leased:,.0f} transactions")
    print(f"server: {1e6 * (after - before) / urls:.0f} µs a row leased, {1e6 * (before - used) / urls:.0f} µs entered")
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"workers: {1e6 * (spent.ru_utime + spent.ru_stime) / urls:.0f} µs a row entered, leased and ended")
    engine = create_engine(database)
    with engine.connect() as connection:
        states = dict(connection.execute(text("SELECT state, count(*) FROM node GROUP BY state")).all())
        size = connection.scalar(text("SELECT pg_total_relation_size('node')"))
    engine.dispose()
    assert states == {2: urls}, f"each row once: {states}"
    print(f"disk: {size / urls:.0f} bytes a row with its indexes, before VACUUM")


def main() -> None:
    """Parse the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--urls", type=int, default=200_000)
    parser.add_argument("--rows", type=int, default=100, help="rows leased in one transaction")
    options = parser.parse_args()
    programs = find_postgres()
    if programs is None:
        parser.exit(1, "PostgreSQL is not installed: apt-get install postgresql\n")
    with tempfile.TemporaryDirectory(prefix="picspider-") as name:
        folder = Path(name) / "postgres"
        with postgres(programs, folder, fsync=True) as database:
            measure(database, folder, options.workers, options.urls, options.rows)


if __name__ == "__main__":
    main()
