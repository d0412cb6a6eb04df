"""Scrapy's signals sent by plain calls: nothing when nobody listens, no task for each listener when somebody does."""

from __future__ import annotations

import logging
from typing import Any

from pydispatch.dispatcher import getAllReceivers, liveReceivers  # type: ignore[import-untyped]  # has no stubs
from pydispatch.robustapply import robustApply  # type: ignore[import-untyped]  # has no stubs
from scrapy.signalmanager import SignalManager
from scrapy.utils.defer import ensure_awaitable

from picspider.listeners import Listeners

logger = logging.getLogger(__name__)


class DirectSignals(SignalManager):
    """As Scrapy's, for the same listeners; those of `send_catch_log_async` are called one after the other."""

    def __init__(self, sender: Any) -> None:
        super().__init__(sender)
        self._listeners = Listeners(sender)

    def send_catch_log(self, signal: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        """See `SignalManager`."""
        return super().send_catch_log(signal, **kwargs) if self._listeners.hear(signal) else []

    async def send_catch_log_async(self, signal: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        """See `SignalManager`: an error of a listener is logged, and is its result."""
        results: list[tuple[Any, Any]] = []
        if not self._listeners.hear(signal):
            return results
        kwargs.setdefault("sender", self.sender)
        allowed = kwargs.pop("dont_log", ())
        for receiver in liveReceivers(getAllReceivers(kwargs["sender"], signal)):
            try:
                result = robustApply(receiver, signal=signal, **kwargs)
                if result is not None:
                    result = await ensure_awaitable(result)
            except allowed as error:
                result = error
            except Exception as error:
                logger.exception("Error caught on signal handler: %s", receiver)
                result = error
            results.append((receiver, result))
        return results
