"""The topic of a running crawl: its model, the seed pages, and what of both outlives an interruption."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request, signals
from scrapy.exceptions import CloseSpider
from sqlalchemy import and_, func, or_, select

from picspider.answers import page_of, page_trouble
from picspider.errors import ConfigError, Failed
from picspider.fetch.classify import classify
from picspider.frontier.run.rejudge import look_again
from picspider.schema import IS_DONE, node
from picspider.strategy.topic_source import model_of, threshold_like
from picspider.topic import PageText, page_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.core.engine import ExecutionEngine
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from sqlalchemy import Connection

    from picspider.config.topic import Topic as Section
    from picspider.frontier.store.store import Store
    from picspider.topic import TopicModel

logger = logging.getLogger(__name__)

TOPIC_KEY, SEEDS_KEY, LEARNED_KEY = "topic", "topic_seeds", "topic_learned"
PAGES_BETWEEN_SAVES = 200


def check_topic(section: Section) -> None:
    """Raises ConfigError for what is wrong with *section* and can be told before the first request."""
    if not section.pages:
        model_of(section)


async def fetched_seeds(engine: ExecutionEngine, urls: Sequence[str]) -> list[PageText]:
    """Title and text of the pages *urls*, through the crawl's own downloader; what cannot be had is told.

    Raises ConfigError when none can be had.
    """
    seeds: list[PageText] = []
    for url in urls:
        try:
            response = await engine.download_async(Request(url, dont_filter=True))
            seeds.append(_text_of(response))
        except Exception as error:  # noqa: BLE001, PERF203 - of several seeds the others may do
            failed = error if isinstance(error, Failed) else classify(error)
            logger.warning("topic.pages: %s cannot be had: %s", url, failed.message)
    if not seeds:
        raise ConfigError("topic.pages: none of the seed pages could be had")
    return seeds


def entry_addresses(connection: Connection) -> list[str]:
    """Where the entry pages that were read turned out to be, after redirects."""
    address = func.coalesce(node.c.final_url, node.c.url)
    found = list(connection.scalars(select(address).where(node.c.parent == 0, node.c.layer == 0, IS_DONE)))
    connection.rollback()
    return found


def _text_of(response: Response) -> PageText:
    trouble = page_trouble(response)
    if trouble is not None:
        raise trouble
    return page_text(page_of(response).text, response.url)


class CrawlTopic:
    """Sets the model up and keeps what it has learned in *store*, so that a killed crawl goes on with it.

    `judges`: pages were dropped or kept by their scores, so a changed topic means that they have to be read again.
    """

    model: TopicModel

    def __init__(self, crawler: Crawler, section: Section, store: Store, *, judges: bool) -> None:
        self._crawler = crawler
        self._section = section
        self._store = store
        self._judges = judges
        self._unsaved = 0
        crawler.signals.connect(self.opened, signals.spider_opened)
        crawler.signals.connect(self.closed, signals.spider_closed)

    async def opened(self) -> None:
        """The engine waits for it before the first request. Without a model the crawl closes for the reason `topic`."""
        try:
            await self._make_ready(self._crawler.engine)
        except ConfigError as exc:
            logger.error("%s", exc)  # noqa: TRY400 - the user acts on the message; a traceback would hide it
            raise CloseSpider("topic") from None

    def closed(self) -> None:
        """The run ends."""
        if not self._store.broken and hasattr(self, "model"):
            self.save()

    async def _make_ready(self, engine: ExecutionEngine) -> None:
        same = self._same_as_before()
        seeds = self._known_seeds() if same else []
        if self._section.pages and not seeds:
            seeds = await fetched_seeds(engine, self._section.pages)
            self._store.set_meta(SEEDS_KEY, json.dumps([asdict(seed) for seed in seeds]))
            like = threshold_like(self._section, seeds)
            if like is not None:
                logger.info("A threshold of %.2f would keep pages like the seed pages", like)
        self.model = model_of(self._section, seeds)
        learned = self._store.get_meta(LEARNED_KEY) if same else None
        if learned is not None:
            self.model.remember(json.loads(learned))
        self._store.set_meta(TOPIC_KEY, self._description())

    def learned_from_page(self) -> None:
        """The model has observed one more page."""
        self._unsaved += 1
        if self._unsaved >= PAGES_BETWEEN_SAVES:
            self.save()

    def save(self) -> None:
        """Keep what the model has learned."""
        self._unsaved = 0
        self._store.set_meta(LEARNED_KEY, json.dumps(self.model.learned()))

    def _same_as_before(self) -> bool:
        """Whether the last run on this store had the same topic; if not, its judgements are void."""
        before, now = self._store.get_meta(TOPIC_KEY), self._description()
        if before is None or before == now:
            return before is not None
        if self._judges:
            with self._store.transaction() as connection:
                scored = or_(node.c.score.is_not(None), node.c.reason == "off-topic")
                again = look_again(connection, and_(IS_DONE, scored))
            logger.info("The topic has changed: %d pages are judged again", again)
        return False

    def _known_seeds(self) -> list[PageText]:
        return [PageText(**fields) for fields in json.loads(self._store.get_meta(SEEDS_KEY) or "[]")]

    def _description(self) -> str:
        """What the judgements hang on. Of a file the content counts."""
        section = self._section
        content = Path(section.file).read_bytes() if section.file and Path(section.file).is_file() else b""
        described: dict[str, Any] = {
            "text": section.text,
            "file": blake2b(content, digest_size=16).hexdigest(),
            "pages": list(section.pages),
            "model": section.model,
            "threshold": section.threshold,
        }
        return json.dumps(described, ensure_ascii=False)
