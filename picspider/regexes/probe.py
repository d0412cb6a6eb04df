"""A regex tried out on long runs, for what the automaton does not model: back references and look-arounds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex

_NOT_MODELLED = re.compile(r"\\[1-9]|\(\?P=|\(\?[=!]|\(\?<[=!]|\(\?\(")
_REPEAT = re.compile(r"[*+}]")
_LENGTH = 1_000
_TIMEOUT_SECONDS = 0.3


def slowness(pattern: str) -> str | None:
    """Why *pattern* (which compiles) is too slow on a text of some thousand characters; None if it is not."""
    if len(_REPEAT.findall(pattern)) < 2 or not _NOT_MODELLED.search(pattern):
        return None
    import regex  # noqa: PLC0415 - only these patterns need a time limit, and it is slow to import

    try:
        compiled = regex.compile(pattern)
    except regex.error:  # a few spellings are re's only
        return None
    slow = next((run for run in _runs(pattern) if not _in_time(compiled, run)), None)
    return slow and f"a run of {slow!r} takes it more than {_TIMEOUT_SECONDS} seconds"


def _in_time(compiled: regex.Pattern[str], run: str) -> bool:
    try:
        compiled.search(run * (_LENGTH // len(run)) + "\n!", timeout=_TIMEOUT_SECONDS)
    except TimeoutError:
        return False
    return True


def _runs(pattern: str) -> list[str]:
    """Texts to repeat: common characters, and the pattern's own."""
    own = dict.fromkeys(re.findall(r"[A-Za-z0-9/_-]", re.sub(r"\\.", "", pattern)))
    return list(dict.fromkeys(["a", "0", "/", "a0", "a/", *list(own)[:10]]))
