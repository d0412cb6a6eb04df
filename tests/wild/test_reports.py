"""What others reported of their downloaders and libraries, tried here (sources: docs/wild-web.md)."""

from __future__ import annotations

import io
import struct
import zlib

import pytest
from PIL import Image

from picspider.errors import Failed
from picspider.links.page import Page
from picspider.pictures.file_names import Fields, render
from picspider.pictures.inspect import inspect
from tests.wild.crawling import Fates, crawled, picture
from tests.wild.raw_server import Answer, answer_of, moved, page_of, serving

SIDE = 30
PIXELS = zlib.compress(b"".join(b"\0" + bytes(range(3 * SIDE)) for _ in range(SIDE)))


def chunk(kind: bytes, content: bytes, wrong: int = 0) -> bytes:
    """A PNG chunk; *wrong*: how far its checksum is off."""
    checksum = (zlib.crc32(kind + content) + wrong) & 0xFFFFFFFF
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)


def png(*more: bytes, pixels: bytes = PIXELS, side: int = SIDE) -> bytes:
    """A PNG with the chunks *more* before its pixels."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(more) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    "body",
    [
        png(chunk(b"iCCP", b"x\0\0" + zlib.compress(bytes(50_000_000)))),  # Pillow 2445
        png(chunk(b"iTXt", b"a\0\0\0\0\0b", wrong=1)),  # Pillow 1991
        png(chunk(b"gAMA", b"\0\1")),  # Pillow 9880
        png()[:-12] + b"\0\0\0\0IHDR\xa8\xa1\xae\x0a" + chunk(b"IEND", b""),  # Pillow 6252
    ],
    ids=["large-profile", "checksum-of-a-comment", "short-gamma", "second-header"],
)
def test_png_that_browsers_show(body: bytes) -> None:
    """Oddities beside the pixels do not make a picture unusable."""
    facts = inspect(body)
    assert (facts.format, facts.width, facts.height) == ("PNG", SIDE, SIDE)


@pytest.mark.parametrize(
    "body", [png(pixels=b""), png(pixels=zlib.compress(b"x"), side=3000), png(pixels=PIXELS)[:-30]],
)  # fmt: skip
def test_png_with_too_little_in_it(body: bytes) -> None:
    """Pillow 6342: what the structure alone can tell of missing pixels is told."""
    with pytest.raises(Failed) as caught:
        inspect(body)
    assert caught.value.reason in ("corrupt", "truncated")


def test_gif_whose_frames_leave_the_screen() -> None:
    """Pillow 8218: the size is that of the screen, as all viewers show it."""
    frames = [Image.new("P", (100, 100), colour) for colour in (1, 2)]
    file = io.BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], optimize=False)
    body = bytearray(file.getvalue())
    second = body.rindex(b"\x2c\0\0\0\0")
    body[second + 1] = body[second + 3] = 50
    facts = inspect(bytes(body))
    assert (facts.width, facts.height, facts.animated) == (100, 100, True)


@pytest.mark.parametrize(
    "exif",
    [b"", b"junk", b"MM\0*\xff\xff\xff\xff\0\0", b"II*\0\x08\0\0\0\xff\xff", b"II*\0\x08\0\0\0\x01\0\x12\x01"],
)
def test_exif_that_makes_no_sense(exif: bytes) -> None:
    """Pillow 518, easy-thumbnails 133 and many more: it says nothing of the turn, and does no harm."""
    file = io.BytesIO()
    Image.new("RGB", (20, 10)).save(file, "JPEG", exif=b"Exif\0\0" + exif)
    facts = inspect(file.getvalue())
    assert (facts.width, facts.height) == (20, 10)


@pytest.mark.parametrize(
    ("html", "urls"),
    [
        # HTTrack 163
        ("<p style='background: url(resources/images%20%281%29.jpg)'>", ["/a/b/resources/images%20%281%29.jpg"]),
        # HTTrack 236
        ("<source data-srcset='./../../i/p.webp'><img data-src=../../i/p.jpg>", ["/i/p.webp", "/i/p.jpg"]),
        # Scrapy 7042, 315
        ("<base href='/base/x/'><meta http-equiv=refresh content='5; url=r/t.html'>", ["/base/x/r/t.html"]),
        ("<meta http-equiv=refresh content='0;url=../../x/../y.html'>", ["/y.html"]),
        # Scrapy 3017
        (f"<!-- {'x' * 50_000} --><base href='/img/'><a href=x.html>x</a>", ["/img/x.html"]),
        # Scrapy 907
        ("<a href='http://[bad/x.html'>x</a><a href=y.html>y</a>", ["/a/b/y.html"]),
        # HTTrack 18, 25
        ("<a href='a+b.jpg'>x</a><a href='LT-3%23L~8.jpg'>y</a>", ["/a/b/a+b.jpg", "/a/b/LT-3%23L~8.jpg"]),
        # HTTrack 12, 48
        ("<meta charset=utf-8><a href='/美股.html'>x</a>", ["/%E7%BE%8E%E8%82%A1.html"]),
        # wget2 374
        ("<img src='data:image/gif;base64,AAAA' data-src=/real.jpg>", ["/real.jpg"]),
    ],
)  # fmt: skip
def test_links(html: str, urls: list[str]) -> None:
    """Addresses that mirroring programs lost or spoilt."""
    page = Page("http://h.ex/a/b/c.html", html.encode())
    assert [link.url.removeprefix("http://h.ex") for link in page.links()] == urls


@pytest.mark.parametrize(
    "title",
    [
        "[灯夜工房 (灯ひでかず)] 色情陷阱地下城" * 6 + " |  Ero エロトラップ",
        "What is going on down there?",
        "tag, " * 90,
    ],
)
def test_titles_as_names(title: str) -> None:
    """gallery-dl 4280, 1030, 1516: long titles and those with a question mark fit into any file system."""
    path = render("{layer1}/{title}{ext}", Fields("http://h.ex/1.jpg", layers=(title,), title=title), ".jpg")
    assert all(len(part.encode()) <= 255 for part in path.split("/"))
    assert not set('?|:*"<>').intersection(path)
    assert path.endswith(".jpg")


@pytest.fixture(scope="module")
def fates(tmp_path_factory: pytest.TempPathFactory) -> Fates:
    """One crawl over the answers that were reported."""
    jpeg = picture(form="JPEG")
    answers: dict[str, Answer] = {
        "/p/png-that-is-none.png": answer_of(jpeg, kind="image/png"),
        "/p/empty.jpg": answer_of(b"", kind="image/jpeg"),
        "/p/page.jpg": answer_of(b"<html><title>509 Bandwidth</title>" + b"x" * 3000, kind="text/html"),
        "/p/overused.jpg": answer_of(b"teapot", "418 I'm a teapot", "text/plain"),
        "/p/archive.jpg": answer_of(b"Rar!\x1a\x07\0" + bytes(90), kind="application/rar"),
        "/p/to-fragment.png": moved("/q/x.png#part"),
        "/q/x.png": answer_of(picture()),
        "/p/plus+sign.png": answer_of(picture()),
        "/p/listing/": page_of("../listing/", "again/"),
    }
    answers["/"] = page_of(*(target for target in answers if target.startswith("/p/")))
    answers["/robots.txt"] = moved("/elsewhere/robots.txt", "301 Moved")
    answers["/elsewhere/robots.txt"] = moved("/robots.txt", "301 Moved")
    with serving(answers) as server:
        config = {"layers": ["/p/"], "fetch": {"retries": 0}}
        return crawled(server, tmp_path_factory.mktemp("reports"), config)


@pytest.mark.parametrize(
    ("target", "fate"),
    [
        ("/p/png-that-is-none.png", "picture"),  # gallery-dl 63, 3031
        ("/p/empty.jpg", "empty"),  # gallery-dl 2485
        ("/p/page.jpg", "not-a-picture"),  # gallery-dl 4798
        ("/p/overused.jpg", "http 418"),  # gallery-dl 431
        ("/p/archive.jpg", "not-a-picture"),  # gallery-dl 628, 268
        ("/p/to-fragment.png", "picture"),  # HTTrack 204
        ("/p/plus+sign.png", "picture"),  # HTTrack 18
        ("/p/listing/", "not-a-picture"),  # wpull 225
    ],
)
def test_answers(fates: Fates, target: str, fate: str) -> None:
    """Stored under the right extension, or told; robots.txt that redirects in circles (wpull 58) stops nothing."""
    assert fates.fates[target] == fate
    if target == "/p/png-that-is-none.png":
        assert fates.files[target].endswith(".jpg")
