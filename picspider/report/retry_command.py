"""The command that tries again what failed, to be copied."""

from __future__ import annotations

import shlex
from pathlib import Path


def retry_command(output: Path) -> str:
    """Its beginning; `--reason` or `--under` may follow."""
    return f"picspider retry {shlex.quote(str(output))}"
