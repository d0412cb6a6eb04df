"""Where the picture pipeline leaves its judge: a look at the first bytes that may stop a download."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

Judge = Callable[["Request", bytes, "int | None"], None]
"""Called as judge(request, head, declared_bytes) and raises to stop the transfer.

`head` is what has come so far, at least `HEAD_BYTES`; `declared_bytes` the length of the whole body, None if the
server did not say. Called once for a 200 answer of which more is still to come.
"""

HEAD_BYTES = 1024
_judges: WeakKeyDictionary[Crawler, Judge] = WeakKeyDictionary()


def set_judge(crawler: Crawler, judge: Judge | None) -> None:
    """Let *judge* look at the first bytes of every answer of *crawler*; None: nobody looks."""
    if judge is None:
        _judges.pop(crawler, None)
    else:
        _judges[crawler] = judge


def judge_of(crawler: Crawler) -> Judge | None:
    """The judge set for *crawler*."""
    return _judges.get(crawler)
