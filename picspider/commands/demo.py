"""`picspider demo`: the embedded gallery, crawled for real."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event

from picspider.commands.crawl import crawl
from picspider.commands.exit_codes import ExitCode
from picspider.config.source import read_source
from picspider.demo import serve_gallery

PORT = 8765  # the one in configs/demo.yaml


def demo(output: Path) -> ExitCode:
    """Crawl the gallery into *output*, say where pictures and report are, and return the exit code.

    The gallery's planned failures (a 404, a truncated picture …) do not count as such: 0 unless the crawl broke.
    """
    text = read_source("demo.yaml").text
    with serve_gallery(PORT) as base:
        output = _folder(output, base)
        config = text.replace(f"http://127.0.0.1:{PORT}", base)
        code = crawl(config, {"output": str(output)}, quiet=True)
    print("\n".join(_places(output)))  # noqa: T201  this is what the command is for
    return ExitCode.ok if code is ExitCode.some_failures else code


def serve() -> int:
    """Serve the gallery until Ctrl-C, so that other commands have a site to try themselves on."""
    with serve_gallery(PORT) as base:
        print(f"The gallery is at {base}/ until you press Ctrl-C.", flush=True)  # noqa: T201  as above
        with suppress(KeyboardInterrupt):
            Event().wait()
    return 0


def _folder(output: Path, base: str) -> Path:
    """*output*, or one beside it when it holds a demo of another address: the port was taken then, or is now."""
    tree = output / "tree.json"
    if not tree.exists() or f'"{base}/"' in tree.read_text(encoding="utf-8"):
        return output
    return output.with_name(f"{output.name}-{base.rpartition(':')[2]}")


def _places(output: Path) -> Iterator[str]:
    yield ""
    yield f"Pictures   {output / 'pictures'}"
    for feed in ("tree", "pictures", "failures", "repeats", "skips"):
        path = output / f"{feed}.json"
        if path.exists():
            yield f"{feed:<10} {path}  ({len(json.loads(path.read_text(encoding='utf-8')))})"
    report = (output / "report.html").resolve()
    if report.exists():
        yield f"Report     {report.as_uri()}"
