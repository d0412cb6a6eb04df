"""Snapshots shown: a table that stays in place on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from picspider.progress.console import terminal
from picspider.progress.estimate import duration, in_words
from picspider.report.visible import visible

if TYPE_CHECKING:
    from picspider.progress.snapshot import Snapshot

PLAIN_SECONDS = 10.0


class Display(Protocol):
    """What a display can do."""

    def show(self, snapshot: Snapshot) -> None:
        """Show how the crawl stands."""

    def close(self) -> None:
        """The crawl is over."""


class LiveDisplay:
    """A table of layers, redrawn in place."""

    def __init__(self) -> None:
        self._live = Live(
            console=terminal(), auto_refresh=False, transient=True, redirect_stdout=False, redirect_stderr=False
        )
        self._live.start()

    def show(self, snapshot: Snapshot) -> None:
        """Redraw."""
        self._live.update(Group(*table_of(snapshot)), refresh=True)

    def close(self) -> None:
        """Remove the table."""
        self._live.stop()


class PlainDisplay:
    """A line every ten seconds, on standard error."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def show(self, snapshot: Snapshot) -> None:
        """Print a line when it is time."""
        now = time.monotonic()
        if now - self._last >= PLAIN_SECONDS:
            self._last = now
            sys.stderr.write(f"{plain_line(snapshot)}\n")

    def close(self) -> None:
        """Nothing to remove."""


DISPLAYS: dict[str, Callable[[], Display]] = {"live": LiveDisplay, "plain": PlainDisplay}


def plain_line(snapshot: Snapshot) -> str:
    """The snapshot in one line."""
    parts = [
        f"{visible(layer.name)} {layer.found - layer.counts.waiting}/{layer.found}"
        + (f" ({layer.counts.failures} failed)" if layer.counts.failures else "")
        for layer in snapshot.layers
    ]
    return f"[{duration(snapshot.elapsed_seconds)}] {', '.join(parts) or 'nothing yet'}; {_speed(snapshot)}"


def table_of(snapshot: Snapshot) -> list[Table | Text]:
    """The snapshot as a table and a few lines below it."""
    return [_table(snapshot), *_lines(snapshot)]


def _table(snapshot: Snapshot) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("layer")
    for name in ("found", "done", "repeats", "failed", "waiting"):
        table.add_column(name, justify="right")
    for layer in snapshot.layers:
        counts = layer.counts
        done = layer.found - counts.waiting - counts.failures - counts.repeats
        table.add_row(
            Text(visible(layer.name)),
            f"{layer.found:,}",
            f"[green]{done:,}[/]",
            f"{counts.repeats:,}",
            f"[red]{counts.failures:,}[/]" if counts.failures else "0",
            f"{counts.waiting:,}",
        )
    return table


def _lines(snapshot: Snapshot) -> list[Text]:
    lines = [Text(f"{duration(snapshot.elapsed_seconds)}: {_speed(snapshot)}")]
    if snapshot.waits:
        hosts = ", ".join(f"{visible(host)} {seconds:.0f} s" for host, seconds in snapshot.waits if seconds >= 1)
        if hosts:
            lines.append(Text(f"waiting as the site asks: {hosts}", style="yellow"))
    if snapshot.stopping:
        lines.append(Text("Stopping: what is under way is finished first. Ctrl-C again stops at once.", style="bold"))
    return lines


def _speed(snapshot: Snapshot) -> str:
    megabytes = snapshot.bytes_per_second / 1e6
    return (
        f"{snapshot.pictures_per_second:.1f} pictures/s, {megabytes:.1f} MB/s, {snapshot.active} under way, "
        f"{in_words(snapshot.left)}"
    )
