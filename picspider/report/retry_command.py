"""The command that tries again what failed, to be copied."""

from __future__ import annotations

import shlex
from pathlib import Path

from picspider.report.program import program


def retry_command(output: Path) -> str:
    """Its beginning; `--reason` or `--under` may follow."""
    return f"{program()} retry {shlex.quote(str(output))}"
