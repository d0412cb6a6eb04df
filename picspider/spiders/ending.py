"""The end of a run: totals that add up, written to the store and told in the last lines."""

from __future__ import annotations

import json
import logging
import time
from dataclasses import asdict
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.exceptions import NotConfigured
from sqlalchemy import func, select

from picspider.audit import suspects
from picspider.audit.dry_pages import KIND as DRY_PAGE
from picspider.errors import TOLD_BY_COMMAND, counted
from picspider.fates import totals_of
from picspider.feeds.changes import counts, in_words
from picspider.frontier.run.canonical import settle_originals
from picspider.frontier.run.gone import note_gone
from picspider.frontier.run.missing import missing_files
from picspider.frontier.run.renewing import give_up_renewing
from picspider.frontier.run.totals import dry_layers
from picspider.pictures.renaming import finish_moves, note_moves, pictures_below, rename
from picspider.records import RunResult
from picspider.schema import run
from picspider.settings_bridge import pictures_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.crawler import Crawler
    from sqlalchemy import Connection
    from typing_extensions import Self

    from picspider.records import Suspect
    from picspider.spiders.crawl import CrawlSpider

logger = logging.getLogger(__name__)

SUSPECTS_TOLD = 3


class Ending:
    """Scrapy extension; only for picspider's own spiders."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._started = time.time()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured for other spiders."""
        if not getattr(crawler.spider, "reads_notes", False):
            raise NotConfigured
        ending = cls(crawler)
        crawler.signals.connect(ending.close, signals.spider_closed)
        return ending

    def close(self, spider: CrawlSpider, reason: str) -> None:
        """Count, remember and tell. Of several workers the last one does; a broken store has nothing to tell."""
        with spider.store.watched():
            if not spider.store.broken and spider.store.leave():
                self._end(spider, reason)

    def _end(self, spider: CrawlSpider, reason: str) -> None:
        with spider.store.transaction() as connection:
            settled = settle_originals(connection)
            self._rename(connection, spider, settled)
            give_up_renewing(connection)
            if spider.audited:
                note_gone(connection, spider.store.run)
        pictures = pictures_folder(self._crawler.settings)
        if pictures is not None:
            with spider.store.transaction() as connection:
                finish_moves(connection, pictures)
        totals = totals_of(spider.store.connection)
        changed = counts(spider.store.connection)
        spider.store.connection.rollback()
        spider.store.end_run(reason, json.dumps(asdict(totals)))
        stats = self._crawler.stats
        for name, count in asdict(totals).items():
            stats.set_value(f"picspider/totals/{name}", count)
        for (what, kind), count in sorted((changed or {}).items()):
            stats.set_value(f"picspider/changes/{what}/{kind}s", count)
        spider.result = self._result(spider, reason)
        dry = dry_layers(spider.store.connection, len(self._crawler.settings.get("PICSPIDER_LAYERS") or ()))
        spider.store.connection.rollback()
        tell_suspects(spider.result.suspects, dry_layer=bool(dry))
        for key, limit in spider.result.limits.items():
            logger.info("Stopped by %s: %s; the same command goes on", key, limit)
        if changed is not None:
            logger.info("Changes: %s", in_words(changed))
        logger.info(
            "Totals: %d sightings = %d pages + %d pictures + %d skips + %d failures + %d repeats + %d waiting (%s)",
            totals.sightings,
            totals.pages,
            totals.pictures,
            totals.skips,
            totals.failures,
            totals.repeats,
            totals.waiting,
            spider.output,
        )

    def _result(self, spider: CrawlSpider, reason: str) -> RunResult:
        # While pages are still to come, most would look incomplete.
        found = tuple(suspects(spider.store.connection)) if spider.audited and reason != "shutdown" else ()
        spider.store.connection.rollback()
        reached = spider.frontier.budget.reached() if reason == "limit" else {}
        limits = {key: limit for key, limit in reached.items() if limit}  # no picture at all is no limit of the user's
        return RunResult(found, self._missing(spider), limits)

    def _rename(self, connection: Connection, spider: CrawlSpider, settled: set[int]) -> None:
        """Rename what this run stored and then found to belong elsewhere; noted before any file moves."""
        settings = self._crawler.settings
        # Files of other workers and of other stores cannot be moved; thumbnails of Scrapy's have names of their own.
        pictures = pictures_folder(settings)
        if not settled or spider.store.shared or pictures is None or settings.get("IMAGES_THUMBS"):
            return
        before = connection.scalar(select(func.max(run.c.ended)).where(run.c.id < spider.store.run)) or 0.0
        rows = settled | pictures_below(connection, settled)
        note_moves(connection, rename(connection, pictures, spider.config.pictures.name, rows, before))

    def _missing(self, spider: CrawlSpider) -> tuple[str, ...]:
        """Files of pictures that were stored before this run, and are not there any more."""
        pictures = pictures_folder(self._crawler.settings)
        if spider.beginning == "new" or spider.store.shared or pictures is None:
            return ()
        found = missing_files(spider.store.connection, pictures, self._started)
        spider.store.connection.rollback()
        if found:
            first = next(iter(found.values()))
            logger.info("Gone from %s: %s of stored pictures, as %s", pictures, counted(len(found), "file"), first)
        return tuple(found.values())


def tell_suspects(found: Sequence[Suspect], *, dry_layer: bool = False) -> None:
    """Name the first few things that look incomplete, and say how many more there are.

    A *dry_layer*, nothing being below it, is the last suspect of its kind; the command line tells it as well.
    """
    told_twice = [suspect for suspect in found if suspect.kind == DRY_PAGE][-1:] if dry_layer else []
    for suspect in found[:SUSPECTS_TOLD]:
        extra = TOLD_BY_COMMAND if suspect in told_twice else None
        logger.warning("Looks incomplete: %s: %s", suspect.place_url, suspect.message, extra=extra)
    more = len(found) - SUSPECTS_TOLD
    if more > 0:
        logger.warning(
            "%s; the report names all of them",
            "1 more thing looks incomplete" if more == 1 else f"{more:,} more things look incomplete",
        )
