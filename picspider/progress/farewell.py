"""The last lines of a run: how it ended, where things are, what to do next, and totals that add up."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from picspider.config.secrets import is_secret
from picspider.fates import failures_by_reason, totals_of
from picspider.feeds.changes import counts, in_words
from picspider.frontier.run.totals import dry_layers, lost_entry
from picspider.output_folder import OutputFolder
from picspider.progress.estimate import duration
from picspider.records import RunResult
from picspider.report.program import program
from picspider.report.retry_command import retry_command
from picspider.report.visible import visible, without_password
from picspider.schema import kept_page, picture

if TYPE_CHECKING:
    from sqlalchemy import Connection

# Nobody closed the spider: the second Ctrl-C stops the loop.
AT_ONCE = "at_once"
ENDINGS = {
    "finished": "Finished after {}.",
    "limit": "Stopped after {} by {}.",
    "shutdown": "Interrupted after {}; nothing is lost.",
    AT_ONCE: "Interrupted at once after {}; nothing that was stored is lost, and the next run writes feeds and report.",
}


@dataclass(frozen=True, slots=True)
class RunEnd:
    """`reason` is Scrapy's; `again` the command that goes on with the crawl, `check` the one that tries its config."""

    reason: str
    seconds: float
    output: Path
    again: str
    check: str = ""
    layers: int = 0
    result: RunResult = field(default_factory=RunResult)
    feeds_failed: bool = False


def command_line(command: str, source: str, overrides: Mapping[str, str]) -> str:
    """*command* for the config that was given, to be copied; what may be secret is left out."""
    if "\n" in source:
        return "the same command again" if command == "crawl" else f"{program()} {command}"
    shown = {key: "…" if is_secret(key) else value for key, value in overrides.items()}
    options = " ".join(f"-o {shlex.quote(f'{key}={value}')}" for key, value in shown.items())
    return f"{program()} {command} {shlex.quote(without_password(source))} {options}".rstrip()


def farewell(connection: Connection, end: RunEnd) -> Iterator[str]:
    """The lines, the totals last."""
    totals, folder = totals_of(connection), OutputFolder(end.output)
    size = int(connection.scalar(select(func.sum(picture.c.bytes))) or 0)  # PostgreSQL sums to a Decimal
    yield ENDINGS.get(end.reason, f"Ended after {{}} ({end.reason}).").format(_after(end.seconds), _limits(end))
    yield f"Pictures  {folder.pictures}  ({size / 1e6:,.1f} MB)"
    kept = connection.scalar(select(func.count()).select_from(kept_page)) or 0
    if kept:
        yield f"Pages     {folder.pages}  ({kept:,} on the topic)"
    for name, path in (("Report", folder.report), ("Log", folder.log)):
        if path.exists():
            yield f"{name:<9} {path.absolute().as_uri() if name == 'Report' else path}"
    yield from troubles(connection, end)
    if end.reason != "finished" or totals.waiting:
        yield f"Go on     {visible(end.again)}"
        if end.result.limits:
            raised = f"raise {' and '.join(end.result.limits)} in the config or with -o"
            yield f"          Each run may fetch as much again; for more in one run {raised}"
    changed = counts(connection)
    if changed is not None:
        yield f"Changes   {in_words(changed)}"
    yield (
        f"Totals    {totals.sightings:,} sightings = {totals.pages:,} pages + {totals.pictures:,} pictures + "
        f"{totals.skips:,} skips + {totals.failures:,} failures + {totals.repeats:,} repeats + "
        f"{totals.waiting:,} waiting"
    )


def troubles(connection: Connection, end: RunEnd) -> Iterator[str]:
    """What is missing, one line each; nothing when all is well."""
    lost = lost_entry(connection)
    if lost is not None:
        yield f"Entry     could not be had: {visible(without_password(lost[0]))}: {visible(lost[1])}"
    dry = dry_layers(connection, end.layers)
    if dry:
        yield f"Layer {dry[0]}   matched nothing on the pages that were read; to see why: {visible(end.check)}"
    if end.result.missing:
        gone = f"{len(end.result.missing):,} of the stored files, as {visible(end.result.missing[0])}"
        yield f"Missing   {gone}, no longer in the folder; to fetch them again: {retry_command(end.output)}"
    if end.feeds_failed:
        yield f"Feeds     not all could be written, see {OutputFolder(end.output).log}; the next run writes them"
    failures = ", ".join(f"{count:,} {reason}" for reason, count in failures_by_reason(connection))
    if failures:
        yield f"Failures  {failures}; to try them again: {retry_command(end.output)}"


def _after(seconds: float) -> str:
    return "less than a second" if seconds < 1 else duration(seconds)


def _limits(end: RunEnd) -> str:
    return " and ".join(f"{key}: {value:,.10g}" for key, value in end.result.limits.items()) or "a limit of the config"
