from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest

from tests.crawls.running import Crawl
from tests.report.axe import serious_faults
from tests.report.conftest import Answers
from tests.report.test_live_page import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

VIEWS = ("overview", "tree", "pictures", "failures", "skips", "repeats", "suspects")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_report_has_no_serious_fault(
    browser: Browser, gallery: tuple[Answers, Crawl], scheme: Literal["light", "dark"], width: int
) -> None:
    """The checker axe finds nothing serious in any view, light or dark, on a desktop or a phone."""
    context = browser.new_context(
        viewport={"width": width, "height": 844}, color_scheme=scheme, locale="en-US", bypass_csp=True
    )
    page = context.new_page()
    page.goto((gallery[1].output / "report.html").as_uri())
    page.wait_for_selector("body[data-ready]")
    assert faults_in_all_views(page) == []
    context.close()


def test_live_page_has_no_serious_fault(browser: Browser, gallery: tuple[Answers, Crawl]) -> None:
    """The same for the live page, with a mark set."""
    with serving(gallery[1].output) as address:
        context = browser.new_context(locale="en-US", bypass_csp=True)
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        page.click("#tab-failures")
        page.locator(".mark").first.click()
        assert faults_in_all_views(page) == []
        context.close()


def faults_in_all_views(page: Page) -> list[str]:
    """Faults of every tab, of the details of a picture, and of the viewer."""
    faults: list[str] = []
    for view in VIEWS:
        page.click(f"#tab-{view}")
        if view == "tree":
            page.locator(".line").nth(3).click()
        faults += [f"{view}: {fault}" for fault in serious_faults(page)]
    page.click("#tab-pictures")
    page.locator(".cell").first.click()
    faults += [f"viewer: {fault}" for fault in serious_faults(page)]
    page.keyboard.press("Escape")
    return faults
