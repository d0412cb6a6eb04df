"""A site in trouble: failures that pass, failures for good, a stand-in for a wrong Referer, addresses that expire."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO

from PIL import Image

ALBUMS = ("1", "2", "3")
PICTURES_EACH = 6
FAILS_ONCE_PAGE = "/album/2/"
FAILS_ONCE = ("/pic/1-1.jpg", "/pic/1-2.jpg", "/pic/3-1.jpg")
FAILS_FOR_GOOD = ("/pic/1-3.jpg", "/pic/3-2.jpg")
EXPIRES = "/pic/3-3.jpg"
STARVED = "/pic/1-4.jpg"


def jpeg(colour: tuple[int, int, int], size: tuple[int, int] = (90, 60)) -> bytes:
    """A small JPEG of one colour."""
    out = BytesIO()
    Image.new("RGB", size, colour).save(out, "JPEG")
    return out.getvalue()


def picture(path: str) -> bytes:
    """The picture at *path*, unlike any other."""
    album, number = path.removeprefix("/pic/").removesuffix(".jpg").split("-")
    return jpeg((40 * int(album), 30 * int(number), 77))


STAND_IN = jpeg((1, 1, 1), (20, 20))


@dataclass
class TroubledSite:
    """The running site: `phase` is 1 until the trouble passes; `log` are the paths asked for, `agents` by path."""

    base: str = ""
    phase: int = 1
    wants_referer: str = ""
    log: list[str] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)

    def page(self, path: str) -> bytes | None:
        """The HTML at *path*."""
        if path == "/":
            links = "".join(f'<a href="/album/{album}/">Album {album}</a> ' for album in ALBUMS)
        elif path.startswith("/album/"):
            album = path.split("/")[2]
            token = "old" if self.phase == 1 else "fresh"
            links = "".join(
                f'<a href="/pic/{album}-{number}.jpg'
                + (f"?sig={token}" if f"/pic/{album}-{number}.jpg" == EXPIRES else "")
                + f'">p{number}</a> '
                for number in range(1, PICTURES_EACH + 1)
            )
        else:
            return None
        return f"<!DOCTYPE html><title>t</title>{links}".encode()

    def answer(self, target: str, referer: str) -> tuple[int, bytes, str]:  # noqa: PLR0911 - one for each trouble
        """Status, body, type."""
        path, _, query = target.partition("?")
        if path in FAILS_FOR_GOOD or (path == FAILS_ONCE_PAGE and self.phase == 1):
            return 404, b"gone", "text/html"
        page = self.page(path)
        if page is not None:
            return 200, page, "text/html"
        if not path.startswith("/pic/"):
            return 404, b"no", "text/html"
        if path in FAILS_ONCE and self.phase == 1:
            return 503, b"busy", "text/html"
        if path == EXPIRES and query != "sig=fresh":
            return 403, b"expired", "text/html"
        if self.wants_referer and referer != self.wants_referer:
            return 200, STAND_IN, "image/jpeg"
        return 200, picture(path), "image/jpeg"


@contextmanager
def serve_trouble() -> Iterator[TroubledSite]:
    """Serve the site on 127.0.0.1 while the block runs."""
    site = TroubledSite()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            site.log.append(self.path)
            site.agents.append(self.headers.get("User-Agent", ""))
            status, body, kind = site.answer(self.path, self.headers.get("Referer", ""))
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site.base = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
