"""Debian's Chromium, and a small site that can be mended, for the tests of the report."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from picspider.demo.gallery import Answer, build_gallery
from tests.conftest import need
from tests.crawls.running import Crawl, picspider_crawl

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, LocatorAssertions, Page

GALLERY = """
entry: {base}/
layers:
  - {{links: '/album/\\d+/$', name: album}}
  - {{links: '/photo/\\d+\\.html$', name: photo}}
  - /full/[^/]+$
next_page: Next
pictures: {{min_width: 100}}
"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, without a window. Not for a whole session: Playwright's loop would be in others' way."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    need(program, "the report's tests need Chromium: apt-get install chromium")
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - said loudly when it is missing
    except ImportError:
        need(None, "the report's tests need Playwright: pip install playwright (no browser of its own)")
        raise
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


def eventually(locator: Locator) -> LocatorAssertions:
    """Playwright's `expect`: what is asserted of *locator* may take a few seconds to come true."""
    from playwright.sync_api import expect  # noqa: PLC0415 - see above

    return expect(locator)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for one file of tests."""
    with chromium() as started:
        yield started


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page on a desktop screen that fails the test when a script of its fails."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    assert errors == []


Answers = dict[str, Answer]


@contextmanager
def serving_answers(answers: Answers) -> Iterator[str]:
    """Serve *answers*, which may change meanwhile; yields the base URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer = answers.get(self.path)
            body = answer.body if answer else b"<h1>Not found</h1>"
            self.send_response(200 if answer else 404)
            self.send_header("Content-Type", answer.content_type if answer else "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Answers, Crawl]]:
    """The demo gallery, served for one file of tests, and a crawl of it."""
    answers = build_gallery()
    with serving_answers(answers) as base:
        yield answers, crawl_gallery(base, tmp_path_factory.mktemp("gallery"))


def crawl_gallery(base: str, folder: Path) -> Crawl:
    """Crawl the gallery at *base* into *folder*/out."""
    config = folder / "gallery.yaml"
    config.write_text(GALLERY.format(base=base), encoding="utf-8")
    crawl = picspider_crawl(config, folder / "out")
    assert crawl.exit_code == 2, crawl.log
    return crawl
