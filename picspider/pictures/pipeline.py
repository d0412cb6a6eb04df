"""The picture pipeline: judge, name and store what was fetched, and say what became of it.

A subclass of Scrapy's ImagesPipeline, so that IMAGES_STORE, IMAGES_MIN_WIDTH, IMAGES_MIN_HEIGHT, IMAGES_THUMBS and the
S3, GCS and FTP settings keep their meaning. Unlike it, the original bytes are kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from io import BytesIO
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy import signals
from scrapy.pipelines.images import ImagesPipeline
from scrapy.utils.defer import ensure_awaitable

from picspider.errors import Failed
from picspider.filters import build
from picspider.ledger import ledger_of
from picspider.output_folder import sidecar_of
from picspider.pictures.files_store import AtomicFilesStore
from picspider.pictures.inspect import inspect
from picspider.pictures.item import PictureItem
from picspider.pictures.naming import Names
from picspider.pictures.stand_ins import Shown, StandIns
from picspider.records import Answer, Lost, Repeated, Skipped, Stored
from picspider.urls import host_key
from picspider.visit import attach, note_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from picspider.ledger import Ledger
    from picspider.records import Facts, Outcome
    from picspider.visit import Note

logger = logging.getLogger(__name__)

THREAD_FROM_BYTES = 1_000_000
STAND_IN_MESSAGE = "the site sends the same picture for many different addresses: a stand-in, not the picture"


class PicturePipeline(ImagesPipeline):
    """Ends every `PictureItem` as exactly one of stored, skipped, repeated, lost; leaves other items to its parent."""

    STORE_SCHEMES: ClassVar[dict[str, Any]] = {
        **ImagesPipeline.STORE_SCHEMES,
        "": AtomicFilesStore,
        "file": AtomicFilesStore,
    }

    def __init__(self, store_uri: Any, download_func: None = None, *, crawler: Crawler) -> None:
        super().__init__(store_uri, download_func, crawler=crawler)
        self._section = crawler.settings.get("PICSPIDER_PICTURES")
        self._filters = build(self._section) if self._section is not None else ()
        self._extra_formats = frozenset(getattr(self._section, "formats", None) or ())
        self._names: Names | None = None
        self._stand_ins = StandIns(crawler.settings.get("PICSPIDER_REFERER") or "parent")
        self._cleared: set[int] = set()
        # The frontier looks for rows that wait after this: it is made later.
        crawler.signals.connect(self._judge_again, signals.spider_idle)
        if isinstance(self.store, AtomicFilesStore):
            self.store.clean()

    @property
    def ledger(self) -> Ledger:
        """The frontier of this crawl."""
        return ledger_of(self.crawler)

    async def process_item(self, item: Any, spider: Any = None) -> Any:
        """Store the picture in *item*; other items go the stock way."""
        if not isinstance(item, PictureItem):
            return await super().process_item(item)
        response = item.response
        request = response.request
        note = note_of(request) if request is not None else None
        if request is None or note is None:
            return item
        answer = Answer.to(note, response.url, response.status)
        try:
            outcome = await self._keep(item, response, request, note, answer)
        except Failed as failed:
            outcome = Lost(answer, failed.reason, failed.message)
        except OSError as exc:
            outcome = Lost(answer, "storage", f"the file could not be written: {exc}")
        if outcome is None:
            item.outcome = "asked-again"
            return item
        item.outcome = type(outcome).__name__.lower()
        self.ledger.end(request, outcome)
        return item

    async def _keep(
        self, item: PictureItem, response: Response, request: Request, note: Note, answer: Answer
    ) -> Outcome | None:
        body = response.body
        if not 200 <= response.status < 300 or (response.status != 200 and not body):
            raise Failed("http", f"the server answered with status {response.status}", status=response.status)
        facts = inspect(body, extra_formats=self._extra_formats)
        item.width, item.height, item.format = facts.width, facts.height, facts.format
        for rule in self._filters:
            refused = rule.judge(facts)
            if refused is not None:
                return Skipped(answer, refused.reason, refused.message, facts.width, facts.height, facts.bytes)
        sha256 = hashlib.sha256(body).hexdigest()
        item.sha256 = sha256
        lookups = self.ledger.lookups
        shown = Shown(note.id, request.url, note.parent, note.text)
        if sha256 in self._stand_ins.known:
            self._stand_ins.came_again(sha256, facts, [shown])
            return self._ask_differently(request, note, answer)
        same = await lookups.claim_content(sha256, note.id)
        if same is not None and self._is_stand_in(sha256, facts, shown, same):
            return self._ask_differently(request, note, answer)
        mode = self._section.same_content if self._section is not None else "once"
        if same is not None and mode == "once":
            return Repeated(answer, same, "content", sha256)
        try:
            file, file_key = await self._name(request.url, note, facts, sha256)
            await self._write(file, body, facts, same if mode == "link" else None)
            await self._write_extras(file, item, body)
        except BaseException:
            lookups.release(note.id, None, sha256)
            raise
        item.file = file
        self._stand_ins.stored(facts)
        host = host_key(request.url)
        if note.referer is not None and self._stand_ins.succeeded(host, note.id, note.referer):
            logger.warning(
                "%s wants another Referer than the config's; put into it: fetch: {referer: %s}", host, note.referer
            )
            self.ledger.ask_differently(host, note.referer)
        return Stored(answer, file, file_key, sha256, facts)

    def _is_stand_in(self, sha256: str, facts: Facts, shown: Shown, same: int) -> bool:
        """Whether this content has now come for so many different pictures that it is none of them."""
        first = self.ledger.lookups.sighting_of(same)
        sightings = [shown] if first is None else [shown, Shown(same, *first)]
        if not self._stand_ins.came_again(sha256, facts, sightings):
            return False
        files = self.ledger.revoke(sha256, STAND_IN_MESSAGE)
        self.ledger.lookups.release(same, None, sha256)
        if isinstance(self.store, AtomicFilesStore):
            for file in files:
                self.store.remove(file)
        return True

    def _judge_again(self) -> None:
        """When all is stored: pictures that were taken for stand-ins too early are fetched again."""
        self._cleared |= self._stand_ins.cleared()
        if self._cleared:
            self._cleared.difference_update(self.ledger.reopen(self._cleared))

    def _ask_differently(self, request: Request, note: Note, answer: Answer) -> Lost | None:
        """Ask once more with another Referer while there is one to try; then it is a failure."""
        referer = self._stand_ins.next_referer(host_key(request.url), note.id, note.referer)
        if referer is None:
            return Lost(answer, "placeholder", STAND_IN_MESSAGE)
        again = request.replace(dont_filter=True)
        again.headers.pop(b"Referer", None)
        self.crawler.engine.crawl(attach(again, note._replace(referer=referer, attempts=note.attempts + 1)))
        return None

    async def _name(self, url: str, note: Note, facts: Facts, sha256: str) -> tuple[str, int]:
        if self._names is None:
            template = self._section.name if self._section is not None else "{stem}{ext}"
            self._names = Names(template, self.ledger.lookups.places)
        await self.ledger.lookups.ready_place(note.parent)
        return await self._names.choose(url, note, facts, sha256, self.ledger.lookups.claim_name)

    async def _write(self, file: str, body: bytes, facts: Facts, original: int | None) -> None:
        store = self.store
        if isinstance(store, AtomicFilesStore):
            if original is not None:
                existing = self.ledger.file_of(original)
                if existing is not None:
                    store.link(existing, file)
                    return
            if len(body) >= THREAD_FROM_BYTES:
                await asyncio.to_thread(store.write, file, body)
            else:
                store.write(file, body)
            return
        try:
            await ensure_awaitable(
                store.persist_file(
                    file,
                    BytesIO(body),
                    self.spiderinfo,
                    meta={"width": facts.width, "height": facts.height},
                    headers={"Content-Type": f"image/{facts.format.lower()}"},
                )
            )
        except Exception as exc:
            raise Failed("storage", f"the store refused the file: {type(exc).__name__}: {exc}") from exc

    async def _write_extras(self, file: str, item: PictureItem, body: bytes) -> None:
        if self._section is not None and self._section.sidecar:
            about = {
                "url": item.url,
                "sha256": item.sha256,
                "width": item.width,
                "height": item.height,
                "format": item.format,
                "bytes": len(body),
            }
            # Nothing but pictures lies in the pictures' folder.
            path = sidecar_of(file) if isinstance(self.store, AtomicFilesStore) else f"{file}.json"
            await self._persist(path, json.dumps(about, ensure_ascii=False, indent=1).encode())
        for name, size in self.thumbs.items():
            _image, buffer = self.convert_image(self._Image.open(BytesIO(body)), size, response_body=BytesIO(body))
            await self._persist(f"thumbs/{name}/{file.rsplit('.', 1)[0]}.jpg", buffer.getvalue())

    async def _persist(self, path: str, content: bytes) -> None:
        await ensure_awaitable(self.store.persist_file(path, BytesIO(content), self.spiderinfo))

    def close_spider(self, spider: Any = None) -> None:
        """Leave no folder for half-written files behind."""
        if isinstance(self.store, AtomicFilesStore):
            self.store.clean()
