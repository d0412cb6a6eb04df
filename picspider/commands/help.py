"""The help of a command, with its arguments written as everybody writes them: `CONFIG`, not `{CONFIG}` or `<str>`."""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperCommand

_BRACED = re.compile(r"\{(\w+)\}")
_TYPE = re.compile(r" <(?:str|path|list\[\w+\])>")


class PlainCommand(TyperCommand):
    """As Typer does it; the class of its contexts has no public name."""

    def get_usage(self, ctx: Any) -> str:
        """The line that an error begins with."""
        return _BRACED.sub(r"\1", super().get_usage(ctx))

    def get_help(self, ctx: Any) -> str:
        """What `--help` prints."""
        return _TYPE.sub("", _BRACED.sub(r"\1", super().get_help(ctx)))
