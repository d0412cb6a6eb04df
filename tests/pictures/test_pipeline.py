from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from scrapy import Request, Spider, signals
from scrapy.core.engine import ExecutionEngine, _Slot
from scrapy.http import Response
from scrapy.utils.reactor import CallLaterOnce
from scrapy.utils.test import get_crawler
from sqlalchemy import select, update

from picspider.config.pictures import Pictures
from picspider.frontier.dupefilter import PairDupeFilter
from picspider.frontier.scheduler import Frontier
from picspider.frontier.store.store import Store
from picspider.frontier.turn.batch import Batch, Want
from picspider.frontier.turn.turn import turn
from picspider.output_folder import OutputFolder
from picspider.pictures.file_names import fold
from picspider.pictures.item import PictureItem
from picspider.pictures.pipeline import PicturePipeline
from picspider.records import Answer, Facts, Lost, Outcome, Repeated, Skipped, Stored
from picspider.schema import State, node
from picspider.urls import fingerprint
from picspider.visit import Note, attach, note_of
from tests.pictures.conftest import draw, encode
from tests.report.made_store import LAST_LAYER, MadeStore

ENTRY, ALBUM = 1, 2
BODY, OTHER_BODY = encode(draw(120, 80), "JPEG"), encode(draw(60, 40), "JPEG")
FACTS = Facts("JPEG", 120, 80, ".jpg", len(BODY))
SHA = sha256(BODY).hexdigest()
ADDRESS = "http://a.example/f/{}.jpg"

Making = Callable[..., "Made"]


class Made:
    """A pipeline with the frontier of a crawl in which the pictures 3 to 6 of an album are under way."""

    def __init__(self, output: Path, section: Pictures | None, **settings: Any) -> None:
        made = MadeStore()
        made.row("http://a.example/", "", 0, 0)
        made.row("http://a.example/album", "Album", 1, ENTRY)
        for row in range(3, 7):
            made.row(ADDRESS.format(row), "", LAST_LAYER, ALBUM)
        self.pictures = output / "pictures"
        self.store = Store(OutputFolder(made.write(output)).store_url)
        with self.store.transaction() as connection:
            connection.execute(update(node).where(node.c.id > ALBUM).values(state=State.running.value))
        handlers = dict.fromkeys(("http", "https"))
        own = {"PICSPIDER_PICTURES": section, "IMAGES_STORE": str(self.pictures), "DOWNLOAD_HANDLERS": handlers}
        crawler = get_crawler(Spider, {**own, **settings})
        crawler.spider = Spider("test")
        crawler.engine = ExecutionEngine(crawler, lambda _: None)
        self.frontier = Frontier(crawler, self.store, PairDupeFilter.from_crawler(crawler))
        self.engine = crawler.engine
        self.pipeline = PicturePipeline.from_crawler(crawler)
        self.pipeline.open_spider()
        self.items: dict[int, PictureItem] = {}

    def ended(self, row: int, body: bytes = BODY, status: int = 200, **note: Any) -> Outcome:
        """What the pipeline says of *row*."""
        whole = Note(row, LAST_LAYER, **{"kind": "picture", "parent": ALBUM, "attempts": 2, **note})
        request = attach(Request(ADDRESS.format(row)), whole)
        response = Response("http://b.example/final.jpg", status, body=body, request=request)
        item = self.items[row] = PictureItem(request.url, response)
        assert asyncio.run(self.processed(item)) is item
        return self.frontier.ledger.ended[row]

    async def processed(self, item: PictureItem) -> Any:
        """What the pipeline returns while the crawl goes on."""
        self.engine._slot = _Slot(False, CallLaterOnce(lambda: None), self.frontier)
        return await self.pipeline.process_item(item)

    def files(self) -> dict[str, bytes]:
        """What is stored, whichever folder it is in."""
        found = (file for file in self.pictures.parent.rglob("*") if file.is_file() and "crawl.db" not in file.name)
        return {file.relative_to(self.pictures.parent).as_posix(): file.read_bytes() for file in found}

    def close(self) -> None:
        """The end."""
        self.pipeline.close_spider()
        self.frontier.lookups.close()
        self.store.close()


@pytest.fixture
def making(tmp_path: Path) -> Any:
    """Makes one."""
    all_made: list[Made] = []

    def make(section: Pictures | None, **settings: Any) -> Made:
        all_made.append(Made(tmp_path / "output", section, **settings))
        return all_made[-1]

    yield make
    for made in all_made:
        made.close()


def test_stored(making: Making) -> None:
    """The bytes are as they came, the outcome says all of it, and so does the item."""
    made = making(Pictures())
    key = fingerprint(fold("Album/3.jpg"))
    assert made.ended(3) == Stored(Answer(200, None, 3), "Album/3.jpg", key, SHA, FACTS)
    assert made.files() == {"pictures/Album/3.jpg": BODY}
    item = made.items[3]
    assert (item.file, item.sha256, item.width, item.height) == ("Album/3.jpg", SHA, 120, 80)
    assert (item.format, item.outcome) == ("JPEG", "stored")
    moved = made.ended(4, OTHER_BODY, 201, redirects=("http://a.example/old",))
    assert isinstance(moved, Stored)
    assert moved.answer[:2] == (201, "http://b.example/final.jpg")


def test_skipped(making: Making) -> None:
    """What a filter refuses is told with its figures, and not stored."""
    made = making(Pictures(min_width=500))
    skipped = made.ended(3, redirects=("http://a.example/old",))
    assert isinstance(skipped, Skipped)
    assert skipped.answer == Answer(200, "http://b.example/final.jpg", 3)
    assert skipped[3:] == (120, 80, len(BODY), None)
    assert skipped.reason == "too-small"
    assert (made.files(), made.items[3].outcome, made.items[3].file) == ({}, "skipped", None)


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (BODY, 404, "http"),
        (BODY, 199, "http"),
        (BODY, 300, "http"),
        (b"", 204, "http"),
        (b"", 200, "empty"),
        (BODY[:-200], 200, "truncated"),
        (b"<html>no</html>", 200, "not-a-picture"),
    ],
)
def test_lost(making: Making, body: bytes, status: int, reason: str) -> None:
    """Another status than success, nothing, and what is no whole picture."""
    made = making(Pictures())
    lost = made.ended(3, body, status, redirects=("http://a.example/old",))
    assert isinstance(lost, Lost)
    assert (lost.reason, lost.answer) == (reason, Answer(status, "http://b.example/final.jpg", 3))
    assert (made.files(), made.items[3].outcome) == ({}, "lost")


def test_file_that_cannot_be_written(making: Making) -> None:
    """It is a failure, and its content is free for another picture."""
    made = making(Pictures())
    made.pictures.mkdir(exist_ok=True)
    (made.pictures / "Album").touch()
    lost = made.ended(3, redirects=("http://a.example/old",))
    assert isinstance(lost, Lost)
    assert (lost.reason, lost.answer) == ("storage", Answer(200, "http://b.example/final.jpg", 3))
    (made.pictures / "Album").unlink()
    assert isinstance(made.ended(4), Stored)


def test_same_content_once(making: Making) -> None:
    """The second one is a repeat of the first."""
    made = making(Pictures())
    made.ended(3)
    repeated = made.ended(4, redirects=("http://a.example/old",))
    assert repeated == Repeated(Answer(200, "http://b.example/final.jpg", 3), 3, "content", SHA)
    assert list(made.files()) == ["pictures/Album/3.jpg"]


@pytest.mark.parametrize("written", [True, False])
@pytest.mark.parametrize(("mode", "one_file"), [("keep", False), ("link", True)])
def test_same_content_again(making: Making, mode: str, *, one_file: bool, written: bool) -> None:
    """It is stored under both names: as two files, or one with two names, be the first in the table already or not."""
    made = making(Pictures(same_content=mode))
    made.ended(3)
    if written:
        turn(made.store, Batch(outcomes=made.frontier.ledger.ended), Want(0))
    assert isinstance(made.ended(4), Stored)
    assert made.files() == {"pictures/Album/3.jpg": BODY, "pictures/Album/4.jpg": BODY}
    assert (made.pictures / "Album/3.jpg").samefile(made.pictures / "Album/4.jpg") is one_file


def test_side_car_and_thumbnails(making: Making) -> None:
    """They stand beside the folder of the pictures, and in its folder of thumbnails."""
    made = making(Pictures(sidecar=True), IMAGES_THUMBS={"small": (30, 30)})
    made.ended(3)
    files = made.files()
    assert json.loads(files.pop("sidecars/Album/3.jpg.json")) == {
        "url": ADDRESS.format(3), "sha256": SHA, "width": 120, "height": 80, "format": "JPEG", "bytes": len(BODY),
    }  # fmt: skip
    with Image.open(BytesIO(files.pop("pictures/thumbs/small/Album/3.jpg"))) as thumbnail:
        assert thumbnail.size == (30, 20)
    assert list(files) == ["pictures/Album/3.jpg"]


def test_without_a_section(making: Making) -> None:
    """Another spider's pictures are named by their addresses, nothing is filtered, and each content is stored once."""
    made = making(None)
    stored = made.ended(3)
    assert isinstance(stored, Stored)
    assert stored.file == "3.jpg"
    assert isinstance(made.ended(4), Repeated)


def test_large_file(making: Making) -> None:
    """One that is written in a thread is the same."""
    noise = Image.effect_noise((1200, 1200), 200)
    body = encode(noise, "BMP")
    assert len(body) > 1_000_000
    made = making(Pictures())
    assert isinstance(made.ended(3, body), Stored)
    assert made.files() == {"pictures/Album/3.bmp": body}


@pytest.mark.parametrize("configured", [None, "origin"])
def test_stand_ins(making: Making, configured: str | None) -> None:
    """What comes for the third different picture is none of them: it is taken back, and one picture tries each Referer
    that the config does not name; another one is lost meanwhile, and so is that one at last.
    """
    made = making(Pictures(), PICSPIDER_REFERER=configured)
    spider = Spider("test", reads_notes=True)
    made.engine.spider = spider
    made.frontier.open(spider)
    ended = made.frontier.ledger.ended
    made.ended(3)
    made.ended(4, parent=20)
    tried: list[str | None] = []
    note: dict[str, Any] = {"parent": 21}
    for attempts in (3, 4):
        with pytest.raises(KeyError):
            made.ended(5, **note)
        assert made.items[5].outcome == "asked-again"
        again = made.frontier.again.pop()
        known = note_of(again)
        assert known is not None
        assert (again.url, known.id, known.attempts, again.dont_filter) == (ADDRESS.format(5), 5, attempts, True)
        tried.append(known.referer)
        note.update(referer=known.referer, attempts=known.attempts)
    assert tried == (["origin", "none"] if configured is None else ["parent", "none"])
    assert {row: type(outcome) for row, outcome in ended.items()} == {3: Lost, 4: Lost}
    assert made.files() == {}
    for row in (6, 5):
        lost = made.ended(row, **(note if row == 5 else {}))
        assert isinstance(lost, Lost)
        assert lost.reason == "placeholder"


def test_referer_that_brings_the_picture(making: Making, caplog: pytest.LogCaptureFixture) -> None:
    """It is told, and used for the host from then on."""
    made = making(Pictures())
    spider = Spider("test", reads_notes=True)
    made.engine.spider = spider
    made.frontier.open(spider)
    for row in (3, 4):
        made.ended(row, parent=row)
    with pytest.raises(KeyError):
        made.ended(5, parent=5)
    assert made.frontier.ledger.referers == {}
    assert isinstance(made.ended(5, OTHER_BODY, referer="origin"), Stored)
    assert made.frontier.ledger.referers == {"a.example:80": "origin"}
    assert "put into it: fetch: {referer: origin}" in caplog.text
    assert list(made.files()) == ["pictures/Album/5.jpg"]


def test_stand_ins_of_a_common_size(making: Making) -> None:
    """Taken back too early, they are fetched again when the spider has nothing left to do, once, and stored."""
    made = making(Pictures())
    spider = Spider("test", reads_notes=True)
    made.engine.spider = spider
    made.frontier.open(spider)
    for row in (3, 4):
        made.ended(row, parent=row)
    with pytest.raises(KeyError):
        made.ended(5, parent=5)
    ended = made.frontier.ledger.ended
    turn(made.store, Batch(outcomes=dict(ended)), Want(0))
    ended.clear()
    for _ in range(4):
        made.ended(6, encode(draw(120, 80), "JPEG"))
    waiting = select(node.c.id).where(node.c.state == State.waiting.value)
    for _ in range(2):
        made.pipeline.crawler.signals.send_catch_log(signals.spider_idle)
        assert set(made.store.connection.scalars(waiting)) == {3, 4}
    assert isinstance(made.ended(3, parent=3), Stored)
    turn(made.store, Batch(outcomes=dict(ended)), Want(0))
    assert isinstance(made.ended(4, parent=4), Repeated)


def test_what_is_not_of_the_crawl(making: Making) -> None:
    """An item without a note goes through; any other item goes the way of Scrapy's own pipeline."""
    made = making(Pictures())
    for request in (None, Request(ADDRESS.format(3))):
        item = PictureItem(ADDRESS.format(3), Response(ADDRESS.format(3), body=BODY, request=request))
        assert asyncio.run(made.processed(item)) is item
        assert item.outcome is None
    assert made.frontier.ledger.ended == {}


def test_half_written_files(making: Making, tmp_path: Path) -> None:
    """What a killed run left goes at the beginning, and the folder at the end."""
    partial = tmp_path / "output/partial"
    partial.mkdir(parents=True)
    made = making(Pictures())
    assert not partial.exists()
    made.ended(3)
    assert partial.exists()
    made.pipeline.close_spider()
    assert not partial.exists()
