"""Screenshots of the report and the live page of the demo crawl: `python -m tests.report.screenshots FOLDER`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from picspider.demo import serve_gallery
from tests.report.conftest import chromium, crawl_gallery
from tests.report.test_live_page import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SCREENS = {"desktop": (1280, 800), "phone": (390, 844)}
SCHEMES = ("light", "dark")
VIEWS = ("overview", "tree", "pictures", "failures", "skips", "repeats", "suspects")


def take(browser: Browser, address: str, folder: Path, name: str) -> None:
    """Every view at both widths, light on the desktop and dark on the phone, and one in Chinese."""
    for (screen, (width, height)), scheme in zip(SCREENS.items(), SCHEMES, strict=True):
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, locale="en-US")
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        for view in VIEWS:
            page.click(f"#tab-{view}")
            _prepare(page, view)
            page.screenshot(path=folder / f"{name}-{screen}-{view}.png")
        context.close()
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="zh-CN")
    page = context.new_page()
    page.goto(f"{address}#failures" if address.startswith("file:") else address)
    page.wait_for_selector("body[data-ready]")
    page.screenshot(path=folder / f"{name}-chinese.png")
    context.close()


def _prepare(page: Page, view: str) -> None:
    if view == "tree":
        page.locator(".line:has(img)", has_text="Coast 2").click()
    if view == "failures" and page.locator(".mark").count():
        page.locator(".mark").first.click()
    page.wait_for_timeout(400)


def main(folder: Path) -> None:
    """Crawl the demo gallery and take all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work, serve_gallery() as base:
        output = crawl_gallery(base, Path(work)).output
        with chromium() as browser, serving(output) as address:
            take(browser, (output / "report.html").as_uri(), folder, "report")
            take(browser, address, folder, "live")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
