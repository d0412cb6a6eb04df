from __future__ import annotations

import inspect

import scrapy
from scrapy.core import engine


def test_scrapy_version_and_the_private_parts_used() -> None:
    """The private parts that the adapter reads are those of Scrapy 2.19; a newer Scrapy has to be looked at first."""
    assert scrapy.__version__.startswith("2.19."), "look at engine_adapter.py again"
    slot = inspect.signature(engine._Slot.__init__).parameters
    assert {"nextcall", "scheduler"} <= slot.keys()
    source = inspect.getsource(engine._Slot)
    for name in ("self.inprogress: set[Request]", "self.closing", "self.nextcall"):
        assert name in source
    # A request leaves `inprogress` only after its callback's output has passed the pipelines.
    handled = inspect.getsource(engine.ExecutionEngine)
    assert "self._slot.remove_request(request)" in handled or "_remove_request" in handled
    assert "close_spider_async" in handled
