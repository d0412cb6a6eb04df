"""A delay is kept over all workers of a crawl."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from tests.frontier.test_shared_store import finished, start
from tests.ops.counting_server import counting_server
from tests.sites.site import Site

DELAY_SECONDS = 0.3
CONFIG = """\
entry: {base}/
layers: ['\\.jpg$']
fetch: {{delay: {delay}, obey_robots: false}}
store: {database}
"""


def test_starts_are_apart(database: str, tmp_path: Path) -> None:
    """Two workers on one host ask it as seldom as one alone would."""
    site = Site()
    site.page("/", "".join(f'<img src="{site.picture(f"/{number}.jpg", number)}">' for number in range(40)))
    with counting_server(site.write(tmp_path / "site"), 0.0) as server:
        config = CONFIG.format(base=server.base, delay=DELAY_SECONDS, database=database)
        # Few rows at a time, so that there is something left for the other one.
        workers = [start(config, tmp_path / name, "-s", "PICSPIDER_OUT_BUFFER=4") for name in ("one", "two")]
        logs = [finished(worker) for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0], "\n".join(log[-2000:] for log in logs)
    assert sorted(server.asked) == sorted(["/", *site.pictures]), "\n".join(log[-2000:] for log in logs)
    gaps = [later - earlier for earlier, later in pairwise(server.times)]
    # What two starts have between them when they leave, a busy machine may shorten on the way.
    assert sorted(gaps)[len(gaps) // 10] > 0.9 * DELAY_SECONDS, gaps
    assert min(gaps) > 0.3 * DELAY_SECONDS, gaps
