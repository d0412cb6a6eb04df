"""Memory of the spider `focused`: a crawl of 2,000 small pages against one of 20,000, on a site made on the fly.

    python benchmarks/focused.py [--pages N]… [--order best|breadth|depth] [--keep FOLDER]

Prints for each size: pages fetched, pages kept, harvest rate, seconds, CPU time per page, the resident memory of the
crawl's process when a tenth of the pages were fetched, and the most it ever was. Flat means that these hardly differ
between the sizes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

LINKS = 12
TOPICS = ("orchids", "steam engines", "medieval coins", "sailing ships", "card games", "city maps", "clocks", "bridges")
WORDS = (
    "the",
    "old",
    "hall",
    "shows",
    "objects",
    "from",
    "many",
    "lands",
    "and",
    "times",
    "with",
    "notes",
    "by",
    "those",
    "who",
    "found",
    "them",
)
CONFIG = """\
entry: {base}/page/0/{pages}
topic: {{text: orchids and their flowers}}
order: {order}
output: {output}
"""


def topic_of(number: int) -> str:
    """The topic of a page: those of one topic stand together."""
    return TOPICS[(number // 40) % len(TOPICS)]


def page(number: int, pages: int) -> bytes:
    """One page of a site of *pages*: a paragraph, and links near and far; each page can be reached from the first."""
    draw = random.Random(number)
    name = topic_of(number)
    near = [2 * number + 1, 2 * number + 2, number + 1, *(draw.randrange(pages) for _ in range(LINKS - 3))]
    links = "".join(
        f'<li><a href="/page/{target}/{pages}">{topic_of(target)}, page {target}</a></li>'
        for target in near
        if target < pages
    )
    words = " ".join(draw.choice(WORDS) for _ in range(80))
    flowers = f"Their flowers: {name}. " if name == TOPICS[0] else ""
    return (
        f"<!doctype html><title>{name.capitalize()}, page {number}</title><h1>{name.capitalize()}</h1>"
        f"<p>About {name}. {flowers}{words}.</p><ul>{links}</ul>"
    ).encode()


class Site:
    """Serves the pages on a free port of 127.0.0.1, in a thread of its own."""

    def __init__(self) -> None:
        self._ready = threading.Event()
        self.asked = 0
        self.port = 0
        threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True).start()
        self._ready.wait()

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await server.serve_forever()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await _head(reader):
            path = head.split(b" ", 2)[1].decode().strip("/").split("/")
            if path[0] == "page":
                self.asked += 1
                body, status = page(int(path[1]), int(path[2])), "200 OK"
            else:
                body, status = b"", "404 Not Found"
            writer.write(
                f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
            )
            await writer.drain()
        writer.close()


async def _head(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return b""


@dataclass(frozen=True, slots=True)
class Measured:
    """One crawl; memory in MB."""

    pages: int
    fetched: int
    kept: int
    seconds: float
    cpu_seconds: float
    early_mb: float
    most_mb: float


def measure(site: Site, pages: int, order: str, output: Path) -> Measured:
    """Crawl *pages* pages to the end in a process of its own."""
    config = CONFIG.format(base=f"http://127.0.0.1:{site.port}", pages=pages, order=order, output=output)
    source = output.with_suffix(".yaml")
    source.write_text(config, encoding="utf-8")
    site.asked, early = 0, 0.0
    began = time.monotonic()
    command = [sys.executable, "-m", "picspider", "crawl", str(source), "-q"]
    child = os.posix_spawn(sys.executable, command, os.environ)
    while True:
        done, status, usage = os.wait4(child, os.WNOHANG)
        if done:
            break
        if not early and site.asked >= pages / 10:
            early = _resident_mb(child)
        time.sleep(0.05)
    if status:
        raise SystemExit(f"the crawl ended with {os.waitstatus_to_exitcode(status)}")
    cpu = usage.ru_utime + usage.ru_stime
    kept = json.loads((output / "pages.json").read_text(encoding="utf-8"))
    return Measured(pages, site.asked, len(kept), time.monotonic() - began, cpu, early, usage.ru_maxrss / 1024)


def _resident_mb(process: int) -> float:
    for line in Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, action="append", help="size of the site; may be given several times")
    parser.add_argument("--order", default="best", choices=["best", "breadth", "depth"])
    parser.add_argument("--keep", type=Path, help="folder for the outputs; default: a temporary one")
    arguments = parser.parse_args()
    site = Site()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        print("  pages  fetched   kept  harvest       s  CPU ms/page  MB at 1/10  MB most")
        for pages in arguments.pages or [2000, 20_000]:
            of = measure(site, pages, arguments.order, folder / f"{arguments.order}-{pages}")
            print(
                f"{of.pages:7}{of.fetched:9}{of.kept:7}{of.kept / of.fetched:9.3f}{of.seconds:8.1f}"
                f"{1000 * of.cpu_seconds / of.fetched:13.2f}{of.early_mb:12.0f}{of.most_mb:9.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
