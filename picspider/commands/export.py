"""`picspider export`: one feed as CSV or JSON lines."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from picspider.commands.exit_codes import ExitCode
from picspider.commands.opening import opened
from picspider.errors import ConfigError, nearest
from picspider.feeds import FEEDS, ON_DEMAND
from picspider.output_folder import partial_of

if TYPE_CHECKING:
    from collections.abc import Iterator

# A cell that begins with one of these is a formula to a spreadsheet (OWASP, CSV injection).
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export(
    output: Path, format_name: str, *, feed: str = "pictures", file: Path | None = None, store: str | None = None
) -> ExitCode:
    """Write the records of *feed* to *file*, or to standard output. Raises `PicspiderError`, OSError."""
    known = {**FEEDS, **ON_DEMAND}
    if feed not in known:
        near = nearest(feed, known)
        hint = f"did you mean {near}?" if near else f"write one of {', '.join(known)}"
        raise ConfigError(f"--feed: there is no feed {feed!r}; {hint}")
    kind, records = known[feed]
    with opened(output, store) as view, _stream(file) as stream:
        FORMATS[format_name](kind, records(view), stream)
    return ExitCode.ok


def _write_jsonl(_kind: type, records: Iterable[Any], stream: TextIO) -> None:
    # ASCII only on a terminal: what the site says cannot act there.
    ascii_only = stream.isatty()
    stream.writelines(json.dumps(asdict(record), ensure_ascii=ascii_only) + "\n" for record in records)


def _write_csv(kind: type, records: Iterable[Any], stream: TextIO) -> None:
    writer = csv.DictWriter(stream, [field.name for field in fields(kind)], lineterminator="\n")
    writer.writeheader()
    for record in records:
        writer.writerow({name: _cell(value) for name, value in asdict(record).items()})


def _cell(value: Any) -> Any:
    """Lists and places as JSON; a text that a spreadsheet would run gets an apostrophe before it."""
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    if not isinstance(value, str):
        return value
    shown = value.replace("\0", "\N{REPLACEMENT CHARACTER}")  # before Python 3.11 `csv` writes no NUL
    return f"'{shown}" if shown.startswith(_FORMULA) else shown


FORMATS: dict[str, Callable[[type, Iterable[Any], TextIO], None]] = {"csv": _write_csv, "jsonl": _write_jsonl}


@contextmanager
def _stream(file: Path | None) -> Iterator[TextIO]:
    if file is None:
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]  # a TextIOWrapper
        yield sys.stdout
        sys.stdout.flush()
        return
    partial = partial_of(file)
    with partial.open("w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
        yield stream
    partial.replace(file)
