"""The demo site on a port of 127.0.0.1, for as long as a `with` block lasts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from picspider.demo.gallery import Answer, build_gallery


@contextmanager
def serve_gallery(port: int = 0) -> Iterator[str]:
    """Serve the gallery and yield its base URL (no slash at the end).

    With *port* taken by another program, or 0, a free one is used.
    """
    handler = type("GalleryHandler", (_Handler,), {"answers": build_gallery()})
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError:
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def is_free(port: int) -> bool:
    """Whether *port* of 127.0.0.1 can be served on now."""
    try:
        ThreadingHTTPServer(("127.0.0.1", port), BaseHTTPRequestHandler).server_close()
    except OSError:
        return False
    return True


class _Handler(BaseHTTPRequestHandler):
    answers: Mapping[str, Answer] = {}
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        answer = self.answers.get(self.path)
        self.send_response(200 if answer else 404)
        body = answer.body if answer else b"<h1>Not found</h1>"
        self.send_header("Content-Type", answer.content_type if answer else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the standard library wants this name
        """Say nothing: the crawl has a log of its own."""
