"""The picture pipeline: judge, name and store what was fetched, and say what became of it.

A subclass of Scrapy's ImagesPipeline, so that IMAGES_STORE, IMAGES_MIN_WIDTH, IMAGES_MIN_HEIGHT, IMAGES_THUMBS and the
S3, GCS and FTP settings keep their meaning. Unlike it, the original bytes are kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from io import BytesIO
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.pipelines.images import ImagesPipeline
from scrapy.utils.defer import ensure_awaitable

from picspider.errors import Failed
from picspider.feeds.places import Places
from picspider.filters import build
from picspider.ledger import ledger_of
from picspider.pictures.files_store import AtomicFilesStore
from picspider.pictures.inspect import inspect
from picspider.pictures.item import PictureItem
from picspider.pictures.naming import Names
from picspider.records import Lost, Repeated, Skipped, Stored
from picspider.visit import note_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from picspider.ledger import Ledger
    from picspider.records import Facts, Outcome
    from picspider.visit import Note

THREAD_FROM_BYTES = 1_000_000


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
        if isinstance(self.store, AtomicFilesStore):
            self.store.clean()

    @property
    def ledger(self) -> Ledger:
        """The frontier of this crawl."""
        return ledger_of(self.crawler)

    async def process_item(self, item: Any, spider: Any = None) -> Any:  # type: ignore[override]  # no spider argument
        """Store the picture in *item*; other items go the stock way."""
        if not isinstance(item, PictureItem):
            return await super().process_item(item)
        response = item.response
        request = response.request
        note = note_of(request) if request is not None else None
        if request is None or note is None:
            return item
        final_url = response.url if note.redirects else None
        try:
            outcome = await self._keep(item, response, request, note, final_url)
        except Failed as failed:
            outcome = Lost(failed.reason, failed.message, response.status, final_url, note.attempts + 1)
        except OSError as exc:
            outcome = Lost(
                "storage", f"the file could not be written: {exc}", response.status, final_url, note.attempts + 1
            )
        item.outcome = type(outcome).__name__.lower()
        self.ledger.end(request, outcome)
        return item

    async def _keep(
        self, item: PictureItem, response: Response, request: Request, note: Note, final_url: str | None
    ) -> Outcome:
        if response.status != 200:
            raise Failed("http", f"the server answered with status {response.status}", status=response.status)
        body = response.body
        facts = inspect(body, extra_formats=self._extra_formats)
        item.width, item.height, item.format = facts.width, facts.height, facts.format
        for rule in self._filters:
            refused = rule.judge(facts)
            if refused is not None:
                return Skipped(
                    refused.reason,
                    refused.message,
                    response.status,
                    facts.width,
                    facts.height,
                    facts.bytes,
                    final_url,
                    note.attempts + 1,
                )
        sha256 = hashlib.sha256(body).hexdigest()
        item.sha256 = sha256
        lookups = self.ledger.lookups
        same = lookups.claim_content(sha256, note.id)
        mode = self._section.same_content if self._section is not None else "once"
        if same is not None and mode == "once":
            return Repeated(same, "content", sha256, response.status, final_url, note.attempts + 1)
        try:
            file, file_key = self._name(request.url, note, facts, sha256)
            await self._write(file, body, facts, same if mode == "link" else None)
            await self._write_extras(file, item, body)
        except BaseException:
            lookups.release(note.id, None, sha256)
            raise
        item.file = file
        return Stored(file, file_key, sha256, facts, response.status, final_url, note.attempts + 1)

    def _name(self, url: str, note: Note, facts: Facts, sha256: str) -> tuple[str, int]:
        if self._names is None:
            template = self._section.name if self._section is not None else "{stem}{ext}"
            self._names = Names(template, Places(self.ledger.lookups.connection, capacity=2000))
        return self._names.choose(url, note, facts, sha256, self.ledger.lookups.claim_name)

    async def _write(self, file: str, body: bytes, facts: Facts, original: int | None) -> None:
        store = self.store
        if isinstance(store, AtomicFilesStore):
            if original is not None:
                existing = self.ledger.lookups.file_of(original)
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
            await self._persist(f"{file}.json", json.dumps(about, ensure_ascii=False, indent=1).encode())
        for name, size in self.thumbs.items():
            _image, buffer = self.convert_image(self._Image.open(BytesIO(body)), size, response_body=BytesIO(body))
            await self._persist(f"thumbs/{name}/{file.rsplit('.', 1)[0]}.jpg", buffer.getvalue())

    async def _persist(self, path: str, content: bytes) -> None:
        await ensure_awaitable(self.store.persist_file(path, BytesIO(content), self.spiderinfo))

    def close_spider(self, spider: Any = None) -> None:
        """Leave no folder for half-written files behind."""
        if isinstance(self.store, AtomicFilesStore):
            self.store.clean()
