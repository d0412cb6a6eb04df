"""What both spiders share: the config, the output folder, the store, and how answers that are no pages end."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

import scrapy
from scrapy import Request
from sqlalchemy.exc import ArgumentError

from picspider.answers import page_trouble
from picspider.config.secrets import holds_secrets, secret_keys
from picspider.errors import ConfigError, Failed, PicspiderError, StoreError, Unwanted, in_words, no_database
from picspider.fetch import MIDDLEWARES
from picspider.fetch.classify import classify
from picspider.fetch.early_stop import set_judge
from picspider.frontier.beginning import begin
from picspider.frontier.missing import PICTURES_KEY
from picspider.frontier.store import Store
from picspider.output_folder import OutputFolder
from picspider.pictures.early import early_judge
from picspider.pictures.item import PictureItem
from picspider.pictures.renaming import finish_moves
from picspider.records import Lost, Repeated, Skipped
from picspider.settings_bridge import apply_settings, output_folder, pictures_folder, store_url_of
from picspider.spiders.new_names import catch_up_with_names
from picspider.visit import Note, meta_of, note_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure
    from typing_extensions import Self

    from picspider.frontier.beginning import Beginning
    from picspider.frontier.scheduler import Frontier
    from picspider.records import Suspect
    from picspider.strategy.layers import Visit

logger = logging.getLogger(__name__)

LONGEST_PATH = 250


class CrawlSpider(scrapy.Spider):
    """Base of `layered` and `focused`. It should only turn answers into visits and outcomes."""

    reads_notes = True
    audited = True
    config: Any
    store: Store
    suspects: tuple[Suspect, ...] = ()
    missing: tuple[str, ...] = ()
    limits: dict[str, float] = {}  # noqa: RUF012 - replaced as a whole, at the end of a run
    output: Path
    beginning: Beginning

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """Read the config (`-a config=`), set Scrapy up for it and open the store. Raises `PicspiderError`."""
        try:
            config = cls.read_config(kwargs.get("config"), kwargs)
            output = output_folder(config)
            apply_settings(crawler.settings, config, output, cls.layer_names(config), MIDDLEWARES)
            store, beginning = open_store(
                store_url_of(config, output), kwargs, config, pictures_folder(crawler.settings)
            )
        except PicspiderError as exc:
            logger.error("%s", exc)  # noqa: TRY400 - the user acts on the message; a traceback would hide it
            raise
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.config, spider.output, spider.store, spider.beginning = config, output, store, beginning
        crawler.signals.connect(store.close, scrapy.signals.engine_stopped)
        set_judge(crawler, early_judge(config.pictures))
        return spider

    @classmethod
    def read_config(cls, source: str | None, arguments: dict[str, Any]) -> Any:
        """The config of this kind of spider."""
        raise NotImplementedError

    @classmethod
    def layer_names(cls, config: Any) -> tuple[str, ...]:
        """Names of layers 1, 2, 3 and so on."""
        raise NotImplementedError

    @property
    def frontier(self) -> Frontier:
        """The scheduler of this crawl."""
        return self.crawler.engine.scheduler  # type: ignore[return-value]  # picspider.settings says so

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
        final_url = response.url if note.redirects else None
        self.frontier.ledger.end(
            request, Repeated(original, by, None, response.status, final_url, attempts=note.attempts + 1)
        )

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
            outcome = Skipped(
                unwanted.reason,
                unwanted.message,
                unwanted.status,
                unwanted.width,
                unwanted.height,
                unwanted.size_bytes,
                request.url if note.redirects else None,
                note.attempts + 1,
            )
            self.frontier.ledger.end(request, outcome)

    def lose(self, request: Request, failed: Failed, response: Response | None) -> None:
        """End *request* as a failure."""
        note = note_of(request)
        if note is None:
            return
        status = failed.status if failed.status is not None else (response.status if response is not None else None)
        final_url = response.url if response is not None else request.url
        self.frontier.ledger.end(
            request,
            Lost(
                failed.reason,
                failed.message,
                status=status,
                final_url=final_url if note.redirects else None,
                attempts=note.attempts + 1,
            ),
        )
        logger.info("Failed (%s): %s: %s", failed.reason, request.url, failed.message)


def overrides_of(arguments: dict[str, Any]) -> dict[str, str]:
    """Keys of the config that spider arguments override: `-a entry=`, `-a output=`, and the command line's `-o`.

    Raises ConfigError when `overrides` is a text (`picspider schedule` sends JSON), but no object of JSON.
    """
    direct = {key: str(arguments[key]) for key in ("entry", "output") if arguments.get(key)}
    given = arguments.get("overrides") or {}
    if isinstance(given, str):
        try:
            given = {str(key): str(value) for key, value in json.loads(given).items()}
        except (ValueError, AttributeError) as exc:
            raise ConfigError(f"overrides: {given!r} is not an object of JSON") from exc
    return {**given, **direct}


def open_store(
    url: str, arguments: dict[str, Any], config: Any, pictures: Path | None = None
) -> tuple[Store, Beginning]:
    """Open and lock the store, and decide what this run is: a new crawl, one that goes on, a refresh, or a retry."""
    try:
        store = Store(url)
    except OSError as exc:
        raise StoreError(f"{exc.filename}: the output folder cannot be made or used: {in_words(exc)}") from exc
    except (ArgumentError, ImportError) as exc:
        raise no_database(url) from exc
    try:
        store.acquire()
        here = pictures == OutputFolder(output_folder(config)).pictures
        store.set_meta(PICTURES_KEY, "here" if here else "elsewhere")
        mine = pictures if not store.shared else None
        if mine is not None:
            with store.transaction() as connection:
                finish_moves(connection, mine)  # of a run that was killed at it
        beginning = begin(store, arguments.get("retry"), as_kept(config), mine)
        if mine is not None:
            catch_up_with_names(store, config.pictures.name, mine)
        if not holds_secrets(config) or "\n" not in str(arguments.get("config")):
            # A retry has to find its config again; a text that holds secrets is not kept, a file's name is.
            source = str(arguments.get("config"))
            if "\n" not in source and len(source) < LONGEST_PATH and Path(source).is_file():
                source = str(Path(source).absolute())
            kept = {
                key: value
                for key, value in overrides_of(arguments).items()
                if key.partition(".")[0] not in secret_keys()
            }
            store.set_meta("config", json.dumps({"source": source, "overrides": kept}))
    except BaseException:
        store.close()
        raise
    return store, beginning


def as_kept(config: Any) -> str:
    """*config* as JSON, as it is kept with each run: what was written in it, without secrets."""
    return json.dumps(config.model_dump(mode="json", exclude_unset=True, exclude=set(secret_keys())))
