"""What both spiders share: the config, the entry pages, and how answers that are no pages end."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import scrapy
from scrapy import Request

from picspider.answers import page_trouble
from picspider.errors import TOLD_BY_COMMAND, ConfigError, Failed, PicspiderError, Unwanted
from picspider.fetch import MIDDLEWARES
from picspider.fetch.classify import classify
from picspider.fetch.client.early_stop import set_judge
from picspider.pictures.early import early_judge
from picspider.pictures.item import PictureItem
from picspider.records import Answer, Lost, Repeated, RunResult, Skipped
from picspider.settings_bridge import apply_settings, output_folder, pictures_folder, store_url_of
from picspider.spiders.beginning import is_own, open_store, overrides_of
from picspider.spiders.deployed import hidden_egg
from picspider.strategy.layers import ENTRY_PRIORITY
from picspider.visit import Note, attach, meta_of, note_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure
    from typing_extensions import Self

    from picspider.frontier.run.beginning import Beginning
    from picspider.frontier.scheduler import Frontier
    from picspider.frontier.store.store import Store
    from picspider.strategy.layers import Visit

logger = logging.getLogger(__name__)


# No ABC: Scrapy's feed exporter reads every attribute of a spider, and the one that zope gives a class of another
# metaclass cannot be read. So what a spider has to bring raises NotImplementedError here.
class CrawlSpider(scrapy.Spider):
    """Base of `layered` and `focused`. It should only turn answers into visits and outcomes."""

    reads_notes = True
    audited = True
    # Whether a further link to a page that is known is told as a repeat.
    tells_page_repeats = True
    config: Any
    store: Store
    # Set once, by `Ending`; as it stands where the run is not over, or another worker ends it.
    result = RunResult()
    output: Path
    beginning: Beginning

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """Read the config (`-a config=`), set Scrapy up for it and open the store. Raises `PicspiderError`."""
        egg = hidden_egg()
        if egg is not None:
            logger.warning(
                "The picspider that is installed here hides the deployed one (%s), and is what runs. To run the "
                "deployed one: pip uninstall picspider, in the environment of Scrapyd",
                egg,
            )
        try:
            config = cls.read_config(kwargs)
            output = output_folder(config)
            apply_settings(crawler.settings, config, output, cls.layer_names(config), MIDDLEWARES)
            store, beginning = open_store(
                store_url_of(config, output), kwargs, config, pictures_folder(crawler.settings)
            )
        except PicspiderError as exc:
            logger.error("%s", exc, extra=TOLD_BY_COMMAND)  # noqa: TRY400 - a traceback would hide what to act on
            _keep_from_asyncio()
            raise
        # Scrapy makes attributes of them: a key of the config must not hide one of the spider's.
        spider = super().from_crawler(crawler, *args, **{key: kwargs[key] for key in kwargs if is_own(key)})
        spider.config, spider.output, spider.store, spider.beginning = config, output, store, beginning
        crawler.signals.connect(store.close, scrapy.signals.engine_stopped)
        set_judge(crawler, early_judge(config.pictures))
        return spider

    @classmethod
    def read_config(cls, arguments: dict[str, Any]) -> Any:
        """The config named by `-a config=`; all other arguments are keys that override it. Raises ConfigError."""
        source = arguments.get("config")
        if not source:
            raise ConfigError(f"no config: say which, as in `scrapy crawl {cls.name} -a config=site.yaml`")
        config = cls.load(source, overrides_of(arguments))
        if config.topic is not None:
            from picspider.spiders.crawl_topic import check_topic  # noqa: PLC0415 - topics have libraries of their own

            check_topic(config.topic)
        return config

    @classmethod
    def load(cls, source: str, overrides: dict[str, str]) -> Any:
        """The config of this kind of spider. Raises ConfigError."""
        raise NotImplementedError

    @classmethod
    def layer_names(cls, config: Any) -> tuple[str, ...]:
        """Names of layers 1, 2, 3 and so on."""
        raise NotImplementedError

    @property
    def frontier(self) -> Frontier:
        """The scheduler of this crawl."""
        return self.crawler.engine.scheduler  # type: ignore[return-value]  # picspider.settings says so

    async def start(self) -> AsyncIterator[Request]:
        """The entry pages, first of all; those that are in the store already are known there."""
        for position, url in enumerate(self.config.entry):
            note = Note(position=position, priority=ENTRY_PRIORITY, repeats=self.tells_page_repeats)
            yield attach(Request(url, dont_filter=True), note)

    def parse(self, response: Response, **_: Any) -> Any:
        """Every answer comes here: pictures go on as items, pages are read."""
        request = response.request
        note = note_of(request) if request is not None else None
        if request is None or note is None:
            return ()
        if note.kind == "picture":
            return (PictureItem(url=note.redirects[0] if note.redirects else request.url, response=response),)
        trouble = page_trouble(response)
        if trouble is not None:
            self.lose(request, trouble, response)
            return ()
        try:
            return self.read_page(response, request, note)
        except Exception as exc:
            logger.exception("Reading %s failed", response.url)
            self.lose(request, Failed("parse", f"{type(exc).__name__}: {exc}"), response)
            return ()

    def read_page(self, response: Response, request: Request, note: Note) -> Any:
        """What to visit after a page."""
        raise NotImplementedError

    def request_for(
        self, visit: Visit, note: Note, parent_url: str, chain: int = 0, *, repeats: bool = True
    ) -> Request:
        """The request for *visit*, found on the page with *note*, which was read at *parent_url*."""
        placed = Note(
            layer=visit.layer,
            page=visit.page,
            kind=visit.kind,
            parent=note.id,
            parent_url=parent_url,
            position=visit.position,
            chain=chain,
            text=visit.text,
            again=visit.again,
            priority=visit.priority,
            repeats=repeats,
        )
        return Request(visit.url, self.parse, dont_filter=True, errback=self.failed, meta=meta_of(placed))

    def moved_onto(self, response: Response, note: Note) -> int:
        """The row that a redirect led onto; 0 when it led to no page that is known."""
        if not note.redirects:
            return 0
        row = self.frontier.ledger.row_of(response.url)
        return row if row and row != note.id else 0

    def end_as_repeat(self, request: Request, note: Note, response: Response, original: int, by: Any) -> None:
        """End *request* as the same as the row *original*."""
        self.frontier.ledger.end(request, Repeated(Answer.to(note, response.url, response.status), original, by))

    def failed(self, failure: Failure) -> None:
        """Every request that got no answer ends here."""
        request: Request = failure.request  # type: ignore[attr-defined]  # Scrapy sets it
        if isinstance(failure.value, Unwanted):
            self._skip(request, failure.value)
            return
        self.lose(request, classify(failure.value or Failed("parse", "the request failed without a word")), None)

    def _skip(self, request: Request, unwanted: Unwanted) -> None:
        note = note_of(request)
        if note is not None:
            answer = Answer.to(note, request.url, unwanted.status)
            figures = (unwanted.width, unwanted.height, unwanted.size_bytes)
            self.frontier.ledger.end(request, Skipped(answer, unwanted.reason, unwanted.message, *figures))

    def lose(self, request: Request, failed: Failed, response: Response | None) -> None:
        """End *request* as a failure."""
        note = note_of(request)
        if note is None:
            return
        url, status = (request.url, None) if response is None else (response.url, response.status)
        answer = Answer.to(note, url, status if failed.status is None else failed.status)
        self.frontier.ledger.end(request, Lost(answer, failed.reason, failed.message))
        logger.info("Failed (%s): %s: %s", failed.reason, request.url, failed.message)


def _keep_from_asyncio() -> None:
    """What stops a crawl before it starts has been told in one line; asyncio would log a traceback as well."""
    with suppress(RuntimeError):  # made by a program, outside of Scrapy's loop
        task = asyncio.current_task()
        if task is not None:
            task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
