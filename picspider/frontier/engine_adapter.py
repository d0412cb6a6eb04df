"""The one place that reads the engine's private parts.

Checked on Scrapy 2.19.0 (`tests/frontier/test_engine_adapter.py` names the version). Scrapy has no public signal for
"this request is finished, its callback is exhausted and its items have passed the pipelines"; it is so when the
request has left `engine._slot.inprogress`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

    from scrapy import Request
    from scrapy.core.engine import ExecutionEngine

_closing: set[asyncio.Task[None]] = set()


def in_progress(engine: ExecutionEngine | None) -> Container[Request]:
    """The requests that were handed out and are not finished yet."""
    slot = engine._slot if engine is not None else None  # noqa: SLF001 - the reason of this module
    return slot.inprogress if slot is not None else frozenset()


def wake(engine: ExecutionEngine | None) -> None:
    """Have the engine ask the scheduler again."""
    slot = engine._slot if engine is not None else None  # noqa: SLF001 - the reason of this module
    if slot is not None:
        slot.nextcall.schedule()


def stop(engine: ExecutionEngine | None, reason: str) -> None:
    """End the crawl soon, for *reason*; does nothing when it is ending already."""
    slot = engine._slot if engine is not None else None  # noqa: SLF001 - the reason of this module
    if engine is None or slot is None or slot.closing is not None:
        return
    task = asyncio.get_running_loop().create_task(engine.close_spider_async(reason=reason))
    _closing.add(task)
    task.add_done_callback(_closing.discard)
