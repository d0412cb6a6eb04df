"""Questions to a shared store that are asked again when a connection breaks, or two transactions block each other."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy.exc import OperationalError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Engine

logger = logging.getLogger(__name__)

TRIES = 6
FIRST_WAIT_SECONDS = 0.2

Answer = TypeVar("Answer")


def answer_of(engine: Engine, ask: Callable[[], Answer], reconnect: Callable[[], None]) -> Answer:
    """What *ask* returns; after an error that may pass once more, on the new connection that *reconnect* has made.

    So *ask* may be done twice: it has to mean the same then. Waits in its thread, longer each time, and raises the
    error when the store stays away.
    """
    driver = engine.dialect.dbapi
    passing = (OperationalError, driver.OperationalError)  # type: ignore[union-attr]  # it is loaded
    for attempt in range(1, TRIES):
        try:
            if attempt > 1:
                reconnect()
            return ask()
        except passing as exc:  # noqa: PERF203 - each try costs a round trip
            logger.warning("The shared store failed (%s); trying again", exc)
            time.sleep(FIRST_WAIT_SECONDS * 2**attempt)
    reconnect()
    return ask()
