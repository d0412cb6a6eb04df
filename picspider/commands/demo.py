"""`picspider demo`: the embedded gallery, crawled for real."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from threading import Event
from urllib.parse import urlsplit

from picspider.commands.crawl import crawl
from picspider.commands.exit_codes import ExitCode
from picspider.commands.opening import opened
from picspider.config.source import read_source
from picspider.demo import is_free, serve_gallery
from picspider.errors import StoreError
from picspider.kept_config import newest_config
from picspider.report.program import program

PORT = 8765  # the one in configs/demo.yaml


def demo(output: Path) -> ExitCode:
    """Crawl the gallery into *output*, say where pictures and report are, and return the exit code.

    The gallery's planned failures (a 404, a truncated picture …) do not count as such: 0 unless the crawl broke.
    """
    text = read_source("demo.yaml").text
    place = _place(output)
    if place.why:
        print(place.why, flush=True)  # noqa: T201  this is what the command is for
    with serve_gallery(place.port) as base:
        config = text.replace(f"http://127.0.0.1:{PORT}", base)
        # Its log is no news; all of it is in crawl.log.
        settings = {} if sys.stderr.isatty() else {"LOG_LEVEL": "WARNING"}
        code = crawl(config, {"output": str(place.folder)}, settings=settings, last_lines=True)
    print("\n".join(_next()))  # noqa: T201  as above
    return ExitCode.ok if code is ExitCode.some_failures else code


def serve() -> ExitCode:
    """Serve the gallery until Ctrl-C, so that other commands have a site to try themselves on."""
    with serve_gallery(PORT) as base:
        print(f"The gallery is at {base}/ until you press Ctrl-C.", flush=True)  # noqa: T201  as above
        with suppress(KeyboardInterrupt):
            Event().wait()
    return ExitCode.ok


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a demo goes, and the port of its gallery; `why`: what to tell when it is not where it was asked for."""

    folder: Path
    port: int
    why: str = ""


def _place(output: Path) -> _Place:
    """*output*; or one beside it, when the address of the demo in there belongs to another program now.

    A demo is brought up to date only at the address that it was crawled at: any other would be another site.
    """
    why = ""
    for number in count(1):
        folder = output if number == 1 else output.with_name(f"{output.name}-{number}")
        port = _port_of(folder)
        if port is None or is_free(port):
            return _Place(folder, port or PORT, why and f"{why} This one goes into {folder}.")
        why = why or (
            f"{output} holds a demo of http://127.0.0.1:{port}/, and that port is taken now "
            "(by `picspider demo --serve` in another terminal?)."
        )
    raise AssertionError("there is always a next number")


def _port_of(folder: Path) -> int | None:
    """The port of the demo in *folder*; None when there is none."""
    with suppress(StoreError), opened(folder) as view:
        entry = newest_config(view.connection).get("entry") or [""]
        return urlsplit(entry if isinstance(entry, str) else entry[0]).port
    return None


def _next() -> Iterator[str]:
    yield ""
    yield "Next      open the report in a browser. Then, for a site of your own:"
    yield f"          {program()} propose https://the-site.example/its-section/ -o site.yaml"
    yield f"          {program()} crawl site.yaml"
