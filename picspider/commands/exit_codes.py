"""What a run's end means to the shell. The only place where outcomes become numbers."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from picspider.fates import failures_by_reason
from picspider.frontier.totals import dry_layers

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
    return ExitCode.some_failures if failures_by_reason(connection) else ExitCode.ok
