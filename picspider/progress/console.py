"""The one console that the display and the log share, so that neither writes over the other."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


@cache
def terminal() -> Console:
    """Standard error, through rich."""
    from rich.console import Console  # noqa: PLC0415 - not needed without a terminal

    return Console(stderr=True, highlight=False, soft_wrap=True)
