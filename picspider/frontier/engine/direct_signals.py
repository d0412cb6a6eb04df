"""Scrapy's signals sent by plain calls: nothing when nobody listens, no task for each listener when somebody does."""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pydispatch.dispatcher import getAllReceivers, liveReceivers  # type: ignore[import-untyped]  # has no stubs
from pydispatch.robustapply import robustApply  # type: ignore[import-untyped]  # has no stubs
from scrapy.signalmanager import SignalManager
from scrapy.utils.defer import ensure_awaitable
from twisted.python.failure import Failure

from picspider.listeners import Listeners

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType

logger = logging.getLogger(__name__)
_TAKES_ANY = 0x08  # inspect.CO_VARKEYWORDS


class DirectSignals(SignalManager):
    """As Scrapy's, for the same listeners; those of `send_catch_log_async` are called one after the other."""

    def __init__(self, sender: Any) -> None:
        super().__init__(sender)
        self._listeners = Listeners(sender)

    def send_catch_log(self, signal: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        """See `SignalManager`: an error of a listener is logged, and its result is a Failure."""
        results: list[tuple[Any, Any]] = []
        allowed = kwargs.pop("dont_log", ())
        for receiver in self._receivers(signal):
            try:
                result = _call(receiver, {"signal": signal, "sender": self.sender, **kwargs})
            except allowed:
                result = Failure()  # type: ignore[no-untyped-call]  # Twisted has no types here
            except Exception:
                logger.exception("Error caught on signal handler: %s", receiver)
                result = Failure()  # type: ignore[no-untyped-call]  # as above
            results.append((receiver, result))
        return results

    async def send_catch_log_async(self, signal: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        """See `SignalManager`: an error of a listener is logged, and is its result."""
        results: list[tuple[Any, Any]] = []
        allowed = kwargs.pop("dont_log", ())
        for receiver in self._receivers(signal):
            try:
                result = _call(receiver, {"signal": signal, "sender": self.sender, **kwargs})
                if result is not None:
                    result = await ensure_awaitable(result)
            except allowed as error:
                result = error
            except Exception as error:
                logger.exception("Error caught on signal handler: %s", receiver)
                result = error
            results.append((receiver, result))
        return results

    def _receivers(self, signal: Any) -> Iterator[Any]:
        if self._listeners.hear(signal):
            yield from liveReceivers(getAllReceivers(self.sender, signal))


def _call(receiver: Any, facts: dict[str, Any]) -> Any:
    """Call *receiver* with those of *facts* that it takes: `robustApply`, which looks it over anew each time."""
    code = getattr(getattr(receiver, "__func__", receiver), "__code__", None)
    if code is None:
        return robustApply(receiver, **facts)
    names = _taken(code)
    return receiver(**facts if names is None else {name: facts[name] for name in names if name in facts})


@lru_cache(maxsize=256)
def _taken(code: CodeType) -> tuple[str, ...] | None:
    """The names of the arguments; None when any is taken."""
    if code.co_flags & _TAKES_ANY:
        return None
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
