"""What a run's end means to the shell. The only place where outcomes become numbers."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from sqlalchemy import select

from picspider.frontier.totals import totals_of
from picspider.schema import KindCode, State, node

if TYPE_CHECKING:
    from sqlalchemy import Connection


class ExitCode(IntEnum):
    """The exit codes of `picspider`."""

    ok = 0
    error = 1
    some_failures = 2
    dry_layer = 3
    limit = 4
    interrupted = 130


def exit_code(connection: Connection, close_reason: str, layers: int) -> ExitCode:
    """The code of a run over the store behind *connection* that closed for *close_reason*."""
    if close_reason == "shutdown":
        return ExitCode.interrupted
    if close_reason not in ("finished", "limit"):
        return ExitCode.error
    if dry_layers(connection, layers):
        return ExitCode.dry_layer
    if close_reason == "limit":
        return ExitCode.limit
    return ExitCode.some_failures if totals_of(connection).failures else ExitCode.ok


def dry_layers(connection: Connection, layers: int) -> list[int]:
    """Layers whose rule matched nothing although pages of the layer before were read."""
    present = set(connection.scalars(select(node.c.layer).distinct()))
    pages_read = (node.c.kind == KindCode.page.value, node.c.state == State.done.value)
    read = set(connection.scalars(select(node.c.layer).where(*pages_read).distinct()))
    return [layer for layer in range(1, layers + 1) if layer - 1 in read and layer not in present]
