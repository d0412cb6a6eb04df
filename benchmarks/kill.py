"""Kill crawls with -9 at random moments, start them again until they end, and compare with a crawl left alone.

    python benchmarks/kill.py [SITE] [--kills 30] [--seed 1] [--config FILE] [--keep DIR]

SITE is a folder with the document root `www` and, beside it, whatever; the benchmark site fits. Without SITE the demo
gallery is used. FILE is a config whose entry is replaced; it is needed for a SITE. Half of the kills go to
`order: breadth`, half to `order: depth`. Both outputs must tell the same pictures, tree, failures, repeats and skips,
no picture of a done row may be asked for again, and nothing may be left lying about.
"""

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from picspider.demo.gallery import build_gallery  # noqa: E402 - the project's root comes first
from tests.frontier.killing import Plan, crawl, crawl_killed, differences  # noqa: E402
from tests.nginx import Server, find_nginx, serving  # noqa: E402

# The benchmark site's pictures that answer 500 carry it in their names.
EXTRA = r'location ~ "-e5\.[a-zA-Z]+$" { return 500; }'


def demo_site(folder: Path) -> Path:
    """The demo gallery as files under *folder*/www."""
    for path, answer in build_gallery().items():
        place, mark, query = path.partition("?")
        name = place.lstrip("/") + ("index.html" if place.endswith("/") else "") + mark + query
        file = folder / "www" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(answer.body)
    return folder


def config_for(base: str, text: str, order: str, folder: Path) -> Path:
    """*text* with the entry replaced, in *order*, as a file in *folder*."""
    lines = [line for line in text.splitlines() if not line.startswith(("entry:", "order:", "output:"))]
    file = folder / f"{order}.yaml"
    file.write_text("\n".join([f"entry: {base}/", f"order: {order}", *lines]), encoding="utf-8")
    return file


def try_order(config: Path, server: Server, kills: int, seed: int) -> list[str]:
    """Kill crawls of *config* until *kills* are used up; what was wrong."""
    order, work = config.stem, config.parent
    alone = work / f"{order}-alone"
    seconds = crawl(config, alone)
    print(f"{order}: left alone {seconds:.1f} s", flush=True)
    wrong: list[str] = []
    used = round_number = 0
    while used < kills:
        round_number += 1
        output = work / f"{order}-{round_number}"
        told = crawl_killed(config, output, server, Plan(seconds, min(5, kills - used), seed * 1000 + round_number))
        used += told.kills
        found = told.wrong + differences(alone, output)
        print(f"{order}: crawl {round_number}: {told.kills} kills, {len(found)} things wrong", flush=True)
        wrong += found
    return wrong


def main() -> int:
    """Run, print, and return 1 when anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", nargs="?", type=Path)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--config", type=Path, default=ROOT / "configs" / "demo.yaml")
    parser.add_argument("--keep", type=Path, help="work in this folder and leave it")
    arguments = parser.parse_args()
    nginx = find_nginx()
    if nginx is None:
        print("nginx is needed: apt-get install nginx-light")
        return 1
    text = arguments.config.read_text(encoding="utf-8")
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as temporary:
        work = arguments.keep or Path(temporary)
        work.mkdir(parents=True, exist_ok=True)
        site = arguments.site or demo_site(work / "site")
        with serving(nginx, (site / "www").resolve(), work / "nginx", EXTRA) as server:
            for order, kills in (("breadth", arguments.kills // 2), ("depth", arguments.kills - arguments.kills // 2)):
                wrong += try_order(config_for(server.base, text, order, work), server, kills, arguments.seed)
    print(*wrong, sep="\n")
    print(f"{arguments.kills} kills, {len(wrong)} things wrong")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
