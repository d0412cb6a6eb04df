"""Whether a run is at its end, once nothing is left to do in memory."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scrapy.exceptions import CloseSpider, DontCloseSpider

from picspider.frontier.engine.engine_adapter import wake
from picspider.frontier.run.renewing import mark_for_retry, passing_failures
from picspider.frontier.run.shallower import rise

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler

    from picspider.frontier.budget import Budget
    from picspider.frontier.store.store import Store
    from picspider.frontier.turn.lookups import Lookups
    from picspider.frontier.what_waits import WhatWaits

logger = logging.getLogger(__name__)

# A failure that is younger had its retries just now.
SECOND_CHANCE_SECONDS = 20.0
SOON_SECONDS = 0.01
OTHERS_POLL_SECONDS = 1.0
RISEN_TOLD = 3


@dataclass(slots=True, eq=False)
class RunEnd:
    """Looks for work in the table: what the limits allow, failures that may have passed, what other workers may find.

    `waits` is told when the table is worth another look; `forget` is called when URLs stand elsewhere now.
    """

    crawler: Crawler
    store: Store
    lookups: Lookups
    budget: Budget
    waits: WhatWaits
    forget: Callable[[], None]
    _began_epoch_seconds: float = field(default_factory=time.time, init=False)
    _had_second_chances: bool = field(default=False, init=False)

    def check(self) -> None:
        """Returns at the end of the run. Raises DontCloseSpider when there is work left, and CloseSpider when there is,
        but the limits allow none of it.
        """
        pages, pictures = self.budget.allows("page"), self.budget.allows("picture")
        if (pages or pictures) and self.lookups.anything_waits(pages=pages, pictures=pictures):
            self.ask_again()
        if self._second_chances() or (pages and self._risen()):
            self.ask_again()
        if self.lookups.anything_waits():
            raise CloseSpider("limit")
        if self.store.shared and not self.store.may_end():
            self.ask_again(min(OTHERS_POLL_SECONDS, self.store.presence.lease_seconds / 4))

    def ask_again(self, seconds: float = SOON_SECONDS) -> None:
        """Have the engine ask for requests again in *seconds*. Raises DontCloseSpider."""
        self.waits.changed()
        asyncio.get_running_loop().call_later(seconds, wake, self.crawler.engine)
        raise DontCloseSpider

    def _second_chances(self) -> bool:
        """Once, when all else is done: what failed a while ago for a passing reason is tried again."""
        if self._had_second_chances or self.store.shared:
            return False
        self._had_second_chances = True
        with self.store.transaction() as connection:
            rows = passing_failures(connection, self._began_epoch_seconds, time.time() - SECOND_CHANCE_SECONDS)
            mark_for_retry(connection, rows)
        if rows:
            logger.info("Trying %d failures once more that may have passed by now", len(rows))
        return bool(rows)

    def _risen(self) -> bool:
        """Whether pages are to be read again in a layer nearer to the entry."""
        if self.store.shared:
            return False
        with self.store.transaction() as connection:
            risen = rise(connection)
        for url, was, now in risen[:RISEN_TOLD]:
            logger.warning(
                "%s was found in layer %d before it was found in layer %d, which counts: it is read again there",
                url, was, now,
            )  # fmt: skip
        if len(risen) > RISEN_TOLD:
            logger.warning("%d more pages are read again in a layer nearer to the entry", len(risen) - RISEN_TOLD)
        if risen:
            self.forget()
            self.lookups.places.forget()
        return bool(risen)
