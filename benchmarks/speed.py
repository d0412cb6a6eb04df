"""Picspider beside its peers on the handed benchmark site: one command, one table.

    python benchmarks/speed.py [--size small|medium] [--latency 0,50] [--reps 3] [--tools A,B] [--write]

Needs the harness (``--harness``, default ../shared/bench), nginx with its lua module, and, for the peers, wget, wget2
and httrack from Debian. The Python peers get a virtual environment of their own. Figures are medians; CPU is user +
system of the process and its children. ``--write`` puts the table into benchmarks/README.md.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import subprocess
import sys
import time
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PEERS = "scrapy-files,scrapy-images,gallery-dl,icrawler,httrack,wget,wget2,aio-crawl,pycurl-crawl"
MARKS = ("<!-- speed: begin -->", "<!-- speed: end -->")
HEADINGS = (
    "size",
    "latency",
    "tool",
    "pictures/s",
    "CPU ms/request",
    "of stock files",
    "CPU ms/picture",
    "wall s",
    "peak MB",
    "correct",
    "wrong",
    "missed",
    "runs",
)


def main() -> int:
    """Run the harness and print the table."""
    options = _options()
    work = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    python = _peers_python(work / "peers", options.harness / "requirements.txt")
    results = work / f"speed-{int(time.time())}.jsonl"
    site = work / "site.yaml"
    site.write_text((options.harness / "site.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    ours = f"{sys.executable} -m picspider crawl {site} -q -o entry={{base}}/ -o output={{out}}"
    command = [
        str(python),
        str(options.harness / "bench.py"),
        "--work",
        str(work),
        "--size",
        options.size,
        "--latency",
        options.latency,
        "--reps",
        str(options.reps),
        "--tools",
        options.tools,
        "--custom",
        f"picspider={ours}",
        "--jsonl",
        str(results),
        "--limit",
        str(options.limit),
        *(["--out-root", str(options.out_root)] if options.out_root else []),
    ]
    subprocess.run(command, check=True, cwd=ROOT, stdout=sys.stderr)
    table = _table([json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()])
    print(table)
    if options.write:
        _write(table, f"{options.size}, latency {options.latency} ms")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--harness", type=Path, default=(ROOT / "../shared/bench").resolve())
    parser.add_argument("--work", type=Path, default=Path.home() / ".cache/picspider-bench")
    parser.add_argument("--out-root", type=Path, default=Path("/dev/shm") if Path("/dev/shm").is_dir() else None)
    parser.add_argument("--size", default="small")
    parser.add_argument("--latency", default="0")
    parser.add_argument("--reps", type=int, default=3)
    parser.add_argument("--tools", default=PEERS)
    parser.add_argument("--limit", type=int, default=400)
    parser.add_argument("--write", action="store_true")
    return parser.parse_args()


def _peers_python(folder: Path, requirements: Path) -> Path:
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", "-r", str(requirements)], check=True)
    return python


def _table(runs: list[dict[str, Any]]) -> str:
    groups: dict[tuple[str, int, str], list[dict[str, Any]]] = {}
    for run in runs:
        groups.setdefault((run["size"], run["latency"], run["tool"]), []).append(run)
    stock = {key[:2]: _median(group, "cpu_ms_per_req") for key, group in groups.items() if key[2] == "scrapy-files"}
    rows = []
    for (size, latency, tool), group in sorted(
        groups.items(), key=lambda item: (item[0][:2], _median(item[1], "cpu_s"))
    ):
        per_request = _median(group, "cpu_ms_per_req")
        base = stock.get((size, latency))
        rows.append(
            [
                size,
                f"{latency} ms",
                f"**{tool}**" if tool == "picspider" else tool,
                f"{_median(group, 'pics_per_s'):.0f}",
                f"{per_request:.2f}",
                f"{per_request / base:.2f}" if base else "",
                f"{_median(group, 'cpu_ms_per_pic'):.2f}",
                f"{_median(group, 'wall_s'):.1f}",
                f"{_median(group, 'peak_rss_mb'):.0f}",
                f"{_median(group, 'correct'):.0f}",
                f"{_median(group, 'wrong'):.0f}",
                f"{_median(group, 'missed'):.0f}",
                str(len(group)),
            ]
        )
    lines = [HEADINGS, ["---"] * len(HEADINGS), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def _median(group: list[dict[str, Any]], name: str) -> float:
    return statistics.median(float(run.get(name) or 0) for run in group)


def _write(table: str, what: str) -> None:
    page = ROOT / "benchmarks" / "README.md"
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    title = f"{time.strftime('%Y-%m-%d')}, {what}, Python {platform.python_version()}, {platform.machine()}"
    page.write_text(f"{before}{MARKS[0]}\n\n{title}\n\n{table}\n\n{MARKS[1]}{after}", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
