"""Early stop: what the first bytes of a picture say may end its download."""

from __future__ import annotations

from typing import TYPE_CHECKING

from picspider.errors import Unwanted
from picspider.filters import build, early
from picspider.pictures.inspect import sniff
from picspider.visit import note_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request

    from picspider.filters.base import PicturesSection

# Ending a transfer costs a connection; for less than this it is cheaper to take the rest.
WORTH_STOPPING_BYTES = 64 * 1024


def early_judge(section: PicturesSection) -> Callable[[Request, bytes, int | None], None] | None:
    """A judge of the first bytes by the filters of the config section `pictures`; None when there is nothing to judge.

    The judge raises `Unwanted` for a picture that a filter refuses, when enough of it is still to come.
    """
    filters = build(section)
    if not filters:
        return None

    def judge(request: Request, head: bytes, declared_bytes: int | None) -> None:
        note = note_of(request)
        if note is None or note.kind != "picture":
            return
        if declared_bytes is not None and declared_bytes - len(head) < WORTH_STOPPING_BYTES:
            return
        seen = sniff(head)
        refused = early(filters, seen, declared_bytes) if seen is not None else None
        if seen is not None and refused is not None:
            raise Unwanted(refused.reason, refused.message, seen.width, seen.height, declared_bytes)

    return judge
