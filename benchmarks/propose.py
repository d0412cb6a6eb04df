"""`picspider propose` on sites of different make: what the config, unedited, gets of the pictures wanted.

    python benchmarks/propose.py [NAME …]

For each site: pictures wanted, got, missing, too many (by content), requests and seconds of the proposal.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.crawls.running import picspider_crawl  # noqa: E402 - the path is set above
from tests.nginx import find_nginx, serving  # noqa: E402 - as above
from tests.propose.local_sites import SITES, LocalSite, NotHereError, digest  # noqa: E402 - as above

TIME_LIMIT_SECONDS = 180


@dataclass(frozen=True)
class Result:
    """What a proposed config did on one site."""

    wanted: int
    got: int
    missing: int
    extra: int
    requests: int
    seconds: float

    @property
    def is_exact(self) -> bool:
        """All the pictures wanted and no other."""
        return not self.missing and not self.extra


def measure(site: LocalSite, folder: Path) -> Result:
    """Serve *site*, propose a config, crawl by it, and compare."""
    program = find_nginx()
    assert program is not None, "nginx is not installed"
    config = folder / "proposed.yaml"
    with serving(program, site.root, folder / "nginx") as server:
        started = time.monotonic()
        command = [sys.executable, "-m", "picspider", "propose", server.base + site.entry, "-o", str(config)]
        subprocess.run(command, cwd=ROOT, check=False, capture_output=True, timeout=TIME_LIMIT_SECONDS)
        seconds, requests = time.monotonic() - started, len(server.requests())
        got: set[str] = set()
        if config.exists():
            got = {digest(body) for body in picspider_crawl(config, folder / "output").stored().values()}
    extra = got - site.wanted - site.either
    return Result(len(site.wanted), len(got), len(site.wanted - got), len(extra), requests, seconds)


def main(names: list[str]) -> None:
    """Print a line for each site."""
    print(f"{'site':<18}{'wanted':>8}{'got':>8}{'missing':>9}{'extra':>7}{'requests':>10}{'seconds':>9}")
    exact = tried = 0
    for name in names or SITES:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            folder.chmod(0o755)  # the web server has its own user
            try:
                result = measure(SITES[name](folder / "site"), folder)
            except NotHereError as missing:
                print(f"{name:<18}NOT MEASURED: {missing}", flush=True)
                continue
        tried += 1
        exact += result.is_exact
        print(
            f"{name:<18}{result.wanted:>8}{result.got:>8}{result.missing:>9}{result.extra:>7}{result.requests:>10}"
            f"{result.seconds:>9.1f}  {'exact' if result.is_exact else 'NOT EXACT'}",
            flush=True,
        )
    print(f"{exact} of {tried} exact")


if __name__ == "__main__":
    main(sys.argv[1:])
