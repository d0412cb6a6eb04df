"""What the end of a command means to the shell."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes of `picspider`."""

    ok = 0
    error = 1
    some_failures = 2
    dry_layer = 3
    limit = 4
    interrupted = 130
