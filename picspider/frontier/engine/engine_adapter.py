"""The one place that reads the engine's private parts: its slot, the book of the requests that are in progress.

Checked on Scrapy 2.19.0 (`tests/frontier/engine/test_engine_adapter.py` names the version). Scrapy has no public signal
for "this request is finished, its callback is exhausted and its items have passed the pipelines"; it is so when the
request has left `engine._slot.inprogress`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Container

    from scrapy import Request
    from scrapy.core.engine import ExecutionEngine

_closing: set[asyncio.Task[None]] = set()


def slot_of(engine: ExecutionEngine) -> Any:
    """The slot of *engine*; None before its spider is opened, and after it is closed."""
    return engine._slot  # noqa: SLF001 - the reason of this module


def in_progress(engine: ExecutionEngine) -> Container[Request]:
    """The requests that were handed out and are not finished yet."""
    slot = slot_of(engine)
    return slot.inprogress if slot is not None else frozenset()


def wake(engine: ExecutionEngine) -> None:
    """Have the engine ask the scheduler again."""
    slot = slot_of(engine)
    if slot is not None:
        slot.nextcall.schedule()


def stop(engine: ExecutionEngine, reason: str) -> None:
    """End the crawl soon, for *reason*; does nothing when it is ending already."""
    slot = slot_of(engine)
    if slot is None or slot.closing is not None:
        return
    task = asyncio.get_running_loop().create_task(engine.close_spider_async(reason=reason))
    _closing.add(task)
    task.add_done_callback(_closing.discard)
