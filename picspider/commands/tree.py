"""`picspider tree`: the site tree in the terminal, a line a node, printed as it is walked."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text
from sqlalchemy import select

from picspider.commands.exit_codes import ExitCode
from picspider.commands.opening import opened
from picspider.fates import Fate, fate
from picspider.report.site_tree import SiteTree
from picspider.report.visible import visible, without_password
from picspider.schema import State, node

if TYPE_CHECKING:
    from sqlalchemy import Connection

LINES_AT_ONCE = 400
SIGNS = {
    Fate.waiting: ("○", "dim"),
    Fate.running: ("◐", "cyan"),
    Fate.page: ("▤", ""),
    Fate.picture: ("✓", "green"),
    Fate.skip: ("–", "yellow"),
    Fate.failure: ("✕", "red"),
    Fate.repeat: ("↺", "magenta"),
}
COUNTED = (Fate.picture, Fate.failure, Fate.skip, Fate.repeat, Fate.waiting, Fate.running)


@dataclass(frozen=True, slots=True)
class Choice:
    """Which nodes: down to `layer`; only those in `state` and the pages that lead to them. None: all."""

    layer: int | None = None
    state: State | None = None


def tree(output: Path, choice: Choice, *, store: str | None = None, console: Console | None = None) -> ExitCode:
    """Print the tree of the crawl in *output*. Raises `StoreError`."""
    console = console or Console(highlight=False, soft_wrap=True)
    with opened(output, store) as view:
        site = SiteTree.read(view.connection, choice.layer, choice.state)
        walk, used = site.walk(), set[Fate]()
        while batch := list(islice(walk, LINES_AT_ONCE)):
            facts = _facts(view.connection, [row for row, _ in batch])
            lines = [_line(site, facts[row], depth) for row, depth in batch]
            used |= {Fate(facts[row].fate) for row, _ in batch} | {kind for row, _ in batch for kind in site.below(row)}
            if console.is_terminal:
                console.print(Text("\n").join(lines))
            else:  # plain text is ten times quicker to write
                console.file.write("".join(f"{line.plain}\n" for line in lines))
        if not site.rows:
            console.print("Nothing matches.")
            return ExitCode.ok
        console.print(
            Text("  ".join(f"{sign} {kind.name}" for kind, (sign, _) in SIGNS.items() if kind in used), "dim")
        )
    return ExitCode.ok


def _facts(connection: Connection, rows: list[int]) -> dict[int, Any]:
    query = select(
        node.c.id, node.c.url, node.c.text, node.c.page, node.c.reason, node.c.status, fate().label("fate")
    ).where(node.c.id.in_(rows))
    return {row.id: row for row in connection.execute(query)}


def _line(site: SiteTree, row: Any, depth: int) -> Text:
    sign, style = SIGNS[Fate(row.fate)]
    line = Text("  " * depth)
    line.append(f"{sign} ", style)
    name = f"page {row.page}" if row.page > 1 else visible(without_password(row.text)).strip()
    if name:
        line.append(f"{name}  ", "bold" if Fate(row.fate) is Fate.page else "")
    line.append(visible(without_password(row.url)), "dim")
    if row.reason:
        status = f" {row.status}" if row.reason == "http" and row.status else ""
        line.append(f"  {row.reason}{status}", style)
    line.append_text(_counts(site, row.id))
    return line


def _counts(site: SiteTree, row: int) -> Text:
    counts, below = Text(), site.below(row)
    for kind in COUNTED:
        if below.get(kind):
            sign, style = SIGNS[kind]
            counts.append(f"  {sign} {below[kind]}", style)
    return counts
