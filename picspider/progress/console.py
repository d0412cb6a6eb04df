"""The one console that the display and the log share, so that neither writes over the other."""

from __future__ import annotations

from functools import cache

from rich.console import Console


@cache
def terminal() -> Console:
    """Standard error, through rich."""
    return Console(stderr=True, highlight=False, soft_wrap=True)
