from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from sqlalchemy import insert, select, update

from picspider.frontier.store.store import Store
from picspider.output_folder import OutputFolder
from picspider.pictures.file_names import fold
from picspider.pictures.renaming import Move, carry_out, finish_moves, note_moves, pictures_below, rename
from picspider.schema import meta, node, picture
from picspider.urls import fingerprint
from tests.crawls.running import scrapy_crawl
from tests.report.made_store import MadeStore
from tests.sites.site import Site

TEMPLATE = "{layer1}/{stem}{ext}"


@contextmanager
def serving(site: Site, slow: str, seconds: float) -> Iterator[str]:
    """Serve *site*; the answer to *slow* comes late."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = site.files.get(self.path)
            if self.path == slow:
                time.sleep(seconds)
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the standard library's name
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_files_are_named_by_where_they_count(tmp_path: Path) -> None:
    """What is stored from the second album, as the first one was slow, is named by the first, which comes before."""
    site = Site()
    site.page("/", '<a href="/album/0/">Zero</a><a href="/album/1/">One</a>')
    shared, original = site.picture("/shared.jpg", 1), site.picture("/original.jpg", 2)
    site.files["/copy.jpg"] = site.files[original]
    own = [site.picture(f"/own{number}.jpg", 10 + number) for number in range(2)]
    site.page("/album/0/", f'<img src="{shared}"><img src="{original}"><img src="{own[0]}">')
    site.page("/album/1/", f'<img src="{shared}"><img src="/copy.jpg"><img src="{own[1]}">')
    names = {"Zero/shared.jpg", "Zero/original.jpg", "Zero/own0.jpg", "One/own1.jpg"}
    config = "entry: {base}/\nlayers: ['/album/', '\\.jpg$']\npictures: {{sidecar: true}}\n"
    with serving(site, "/album/0/", 1.0) as base:
        crawl = scrapy_crawl(config.format(base=base), tmp_path / "output")
        assert set(crawl.stored()) == names, crawl.complaints()
        assert {record["file"] for record in crawl.feed("pictures")} == names
        sidecars = {file.relative_to(tmp_path / "output/sidecars").as_posix() for file in tmp_path.rglob("*.jpg.json")}
        assert sidecars == {f"{name}.json" for name in names}
        by = {record["by"]: record["original"]["file"] for record in crawl.feed("repeats")}
        assert by == {"url": "Zero/shared.jpg", "content": "Zero/original.jpg"}
        again = scrapy_crawl(config.format(base=base), tmp_path / "output")
    assert set(again.stored()) == names
    assert "gone from" not in again.log


def test_pictures_of_a_shared_page(tmp_path: Path) -> None:
    """What hangs on a photo page that two albums link, next pages of it too, is named by the first album."""
    site = Site()
    site.page("/", '<a href="/album/0/">Zero</a><a href="/album/1/">One</a>')
    for number in range(2):
        site.page(f"/album/{number}/", '<a href="/photo/">Photo</a>')
    site.page("/photo/", f'<img src="{site.picture("/a.jpg", 1)}"><a href="/photo2/">Next</a>')
    site.page("/photo2/", f'<img src="{site.picture("/b.jpg", 2)}">')
    config = "entry: {base}/\nlayers: ['/album/', '/photo/', '\\.jpg$']\nnext_page: Next\n"
    with serving(site, "/album/0/", 1.0) as base:
        crawl = scrapy_crawl(config.format(base=base), tmp_path / "output")
    assert set(crawl.stored()) == {"Zero/a.jpg", "Zero/b.jpg"}, crawl.complaints()


def test_pictures_below(tmp_path: Path) -> None:
    """Those of the page, of its next pages and of the pages below; of pages beside it, and of failures, none."""
    made = MadeStore()
    entry = made.row("https://a.example/", "", 0, 0)
    album, other = (made.row(f"https://a.example/{name}", "", 1, entry) for name in ("album", "other"))
    second = made.row("https://a.example/album?p=2", "", 1, album, page=2)
    photo, beside = (made.row(f"https://a.example/photo{row}", "", 2, row) for row in (second, other))
    below = [made.stored(f"https://a.example/{row}.jpg", "", row, f"{row}.jpg", file_key=row) for row in (album, photo)]
    made.row("https://a.example/gone.jpg", "", 2, album, reason="http")
    made.stored("https://a.example/beside.jpg", "", beside, "beside.jpg", file_key=99)
    made.write(tmp_path)
    store = Store(OutputFolder(tmp_path).store_url)
    with store.transaction() as connection:
        connection.execute(update(node).where(node.c.id == second).values(chain=album))
        assert pictures_below(connection, {album}) == pictures_below(connection, {album, photo}) == set(below)
        assert pictures_below(connection, {photo, below[0]}) == {below[1]}
        assert pictures_below(connection, below) == pictures_below(connection, ()) == set()
    store.close()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An album with pictures that were stored under the names 1.jpg, 2.jpg and so on, in a folder that is wrong."""
    made = MadeStore()
    entry = made.row("https://a.example/", "", 0, 0)
    album = made.row("https://a.example/album", "Album", 1, entry)
    (tmp_path / "pictures/wrong").mkdir(parents=True)
    for number in range(1, 4):
        file = f"wrong/{number}.jpg"
        (tmp_path / "pictures" / file).write_text(str(number), encoding="utf-8")
        key = fingerprint(fold(file))
        made.stored(f"https://a.example/{number}.jpg", "", album, file, file_key=key, time=time.time())
    made.write(tmp_path)
    return Store(OutputFolder(tmp_path).store_url)


def files(store: Store) -> list[str]:
    """What the table says."""
    return list(store.connection.scalars(select(picture.c.file).order_by(picture.c.node)))


def test_names_of_the_table(store: Store, tmp_path: Path) -> None:
    """Only the rows named, stored since the time given, get other names; one that is taken gets the usual tag."""
    taken = {"file": "Album/4.jpg", "file_key": fingerprint(fold("Album/4.jpg")), "sha256": "", "sha_key": 0}
    facts = {"width": 1, "height": 1, "format": "JPEG", "bytes": 1, "time": 0.0}
    pictures = tmp_path / "pictures"
    (pictures / "Album").mkdir()
    (pictures / "Album/3.jpg").write_text("left by a killed run", encoding="utf-8")
    with store.transaction() as connection:
        connection.execute(
            insert(picture).values(node=99, **{**taken, **facts, "file_key": fingerprint("album/1.jpg")})
        )
        assert rename(connection, pictures, TEMPLATE, {3, 4}, time.time() + 60) == []
        moves = rename(connection, pictures, TEMPLATE, {3, 4, 77})
        assert moves[1] == Move("wrong/2.jpg", "Album/2.jpg")
        assert moves[0].new.startswith("Album/1-")
        assert rename(connection, pictures, TEMPLATE, {4}) == [], "named for good"
        assert files(store)[2] == "wrong/3.jpg"
        assert rename(connection, pictures, TEMPLATE, {5})[0].new.startswith("Album/3-")
    store.close()


def test_two_of_one_name(store: Store, tmp_path: Path) -> None:
    """Of pictures in one list that would have the same name the later one gets a tag."""
    with store.transaction() as connection:
        connection.execute(update(node).where(node.c.id == 4).values(url="https://a.example/other/1.jpg"))
        moves = rename(connection, tmp_path / "pictures", TEMPLATE, {4, 3})
        assert rename(connection, tmp_path / "pictures", TEMPLATE, {4, 3}) == [], "the tag is as good as a name"
    assert (moves[0].new, moves[1].new.partition("-")[0]) == ("Album/1.jpg", "Album/1")
    assert files(store)[:2] == [move.new for move in moves]
    assert len(set(files(store))) == 3
    store.close()


def test_a_name_that_becomes_free_in_the_same_list(tmp_path: Path) -> None:
    """Moves are made in order; wherever they were interrupted, the whole list may be made again."""
    moves = [Move("a/x.jpg", "b/y.jpg"), Move("c/z.jpg", "a/x.jpg")]
    for done in range(3):
        pictures = tmp_path / str(done) / "pictures"
        (pictures / "a").mkdir(parents=True)
        (pictures / "c").mkdir()
        (pictures / "a/x.jpg").write_text("first", encoding="utf-8")
        (pictures / "c/z.jpg").write_text("second", encoding="utf-8")
        (tmp_path / str(done) / "sidecars/a").mkdir(parents=True)
        (tmp_path / str(done) / "sidecars/a/x.jpg.json").touch()
        carry_out(pictures, moves[:done])
        carry_out(pictures, moves)
        found = {file.relative_to(pictures).as_posix(): file.read_text() for file in pictures.rglob("*.jpg")}
        assert found == {"b/y.jpg": "first", "a/x.jpg": "second"}
        assert not (pictures / "c").exists()
        assert (tmp_path / str(done) / "sidecars/b/y.jpg.json").exists()


def test_killed_between_table_and_files(store: Store, tmp_path: Path) -> None:
    """The next run makes the moves that are noted; what cannot be made stays noted."""
    with store.transaction() as connection:
        note_moves(connection, rename(connection, tmp_path / "pictures", TEMPLATE, {3, 4}))
        note_moves(connection, rename(connection, tmp_path / "pictures", TEMPLATE, {5}))
    (tmp_path / "pictures/Album").write_text("in the way", encoding="utf-8")
    with store.transaction() as connection:
        finish_moves(connection, tmp_path / "pictures")
    (tmp_path / "pictures/Album").unlink()
    with store.transaction() as connection:
        finish_moves(connection, tmp_path / "pictures")
        finish_moves(connection, tmp_path / "pictures")
        assert connection.scalar(select(meta.c.value).where(meta.c.key == "moves")) is None
    assert [(tmp_path / "pictures" / file).read_text() for file in files(store)] == ["1", "2", "3"]
    assert not (tmp_path / "pictures/wrong").exists()
    store.close()
