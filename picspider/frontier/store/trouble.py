"""Words for a database that fails, and what to do about it."""

from __future__ import annotations

_FULL = ("disk is full", "No space left")
_DAMAGED = ("malformed", "not a database", "file is encrypted")


def trouble(where: object, exc: BaseException) -> str:
    """What to tell the user when the database *where* fails with *exc*."""
    said = " ".join(str(exc).split())
    if any(words in said for words in _FULL):
        return (
            f"{where}: the disk is full ({said}). What was written before is whole; make room, and the same command "
            f"goes on."
        )
    if any(words in said for words in _DAMAGED):
        return (
            f"{where}: the crawl store cannot be read ({said}). Nothing was changed. Restore it from a backup, or "
            f"move it away to start afresh (pictures stay)."
        )
    return (
        f"{where}: the crawl store fails ({said}). What was written before is whole; when it can be used again, the "
        f"same command goes on."
    )
