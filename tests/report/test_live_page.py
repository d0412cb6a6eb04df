from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from picspider.demo.gallery import Answer
from picspider.demo.pictures import landscape
from tests.crawls.running import ROOT, Crawl
from tests.report.conftest import Answers, eventually

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="module")
def address(gallery: tuple[Answers, Crawl]) -> Iterator[str]:
    """`picspider serve` on the crawled gallery; the address that it printed."""
    with serving(gallery[1].output) as printed:
        yield printed


class serving:  # noqa: N801 - reads as a block: with serving(output) as address
    """`picspider serve` as a process of its own."""

    def __init__(self, output: Path) -> None:
        self._command = [sys.executable, "-m", "picspider", "serve", str(output)]

    def __enter__(self) -> str:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self._process = subprocess.Popen(self._command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        return self._process.stdout.readline().removeprefix("Open ").strip()

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGINT)
        assert self._process.wait(20) == 0


def test_failure_is_retried_from_the_page(page: Page, gallery: tuple[Answers, Crawl], address: str) -> None:
    """The failed picture is found by its place, marked and retried; the totals change without a reload."""
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    assert "token" not in page.url
    page.click("#tab-failures")
    entry = page.locator(".entry", has_text="gone.jpg")
    assert entry.locator(".path li").all_inner_texts()[1:] == ["Coast", "page 2", "Coast 4", "Coast 5"]
    gallery[0]["/full/gone.jpg"] = Answer(landscape(4, 640, 420), "image/jpeg")
    entry.locator(".mark").click()
    eventually(page.locator("#live-bar")).to_contain_text("1 marked for retry")
    page.click("#start-retry")
    eventually(page.locator("#tab-failures .badge")).to_have_text("2", timeout=30_000)
    eventually(page.locator("#tab-pictures .badge")).to_have_text("26", timeout=30_000)
    eventually(page.locator("#live-bar")).to_contain_text("failures remain", timeout=30_000)
    eventually(page.locator(".entry", has_text="gone.jpg")).to_have_count(0)


def test_pictures_by_album_with_thumbnails_on_demand(page: Page, address: str, gallery: tuple[Answers, Crawl]) -> None:
    """Albums are browsed with thumbnails that the server makes when they are asked for."""
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    page.click("#tab-pictures")
    assert "Coast" in page.locator(".album").first.inner_text()
    first = page.locator(".cell img").first
    assert (first.get_attribute("src") or "").startswith("thumbnails/")
    page.wait_for_load_state("networkidle")
    assert first.evaluate("(image) => image.naturalWidth") == 160


def test_reason_and_subtree_can_be_marked_and_cleared(page: Page, address: str) -> None:
    """A whole reason and everything below a page can be marked; marks can be taken off again."""
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    page.click("#tab-failures")
    page.locator(".reason > .mark").first.click()
    eventually(page.locator("#live-bar")).to_contain_text("1 marked")
    page.click("#tab-tree")
    page.locator(".line").first.click()
    page.click("text=Mark everything below for retry")
    eventually(page.locator("#live-bar")).to_contain_text("2 marked")
    page.locator("#live-bar button", has_text="Clear").click()
    eventually(page.locator("#live-bar")).not_to_contain_text("marked")


def test_strangers_are_refused(page: Page, address: str) -> None:
    """Without the token there is nothing to see; the page's own policy allows nothing from elsewhere."""
    base = address.partition("?")[0]
    answer = page.goto(base)
    assert answer is not None
    assert answer.status == 403
    answer = page.goto(address)
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
