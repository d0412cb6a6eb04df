from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from picspider.commands.report import report
from picspider.report.visible import visible
from tests.report.conftest import eventually
from tests.report.hostile import TEXTS, URLS, write_hostile_store

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a crawl of a hostile site."""
    output = write_hostile_store(tmp_path_factory.mktemp("hostile") / "out")
    report(output, store=None, thumbnails=20_000, embed=2000)
    return output / "report.html"


def test_file_holds_no_markup_of_the_site(hostile: Path) -> None:
    """In the file itself the site's texts are compressed or escaped: no tag of theirs, no secret."""
    text = hostile.read_text(encoding="utf-8")
    assert re.findall(r"<(?:iframe|base|form|img|a) [^>]*evil|pwned", text) == []
    assert text.count("<script") == 3
    assert "secret-word" not in text
    facts = re.search(r'id="facts">(.*?)</script>', text)
    assert facts is not None
    assert json.loads(facts[1])["summary"]["entry"] == ["https://gallery.example/"]


def test_texts_show_as_texts(page: Page, hostile: Path) -> None:
    """In every view the hostile texts are there to be read, and nothing of them acts."""
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(hostile.as_uri())
    page.wait_for_selector("body[data-ready]")
    shown = ""
    for view in ("overview", "tree", "pictures", "failures", "skips", "repeats"):
        page.click(f"#tab-{view}")
        page.locator(f"#panel-{view}").wait_for()
        shown += page.locator("main").inner_text()
        for more in page.locator(".more:visible").all():
            more.click()
        shown += page.locator("main").inner_text()
        assert_harmless(page)
    folded = " ".join(shown.split())
    for text in TEXTS:
        assert " ".join(visible(text).split()) in folded
    assert [url for url in requests if url.startswith("http")] == []


def test_details_and_viewer(page: Page, hostile: Path) -> None:
    """The details of a hostile row and the large view of its picture are harmless, too; an SVG is not linked."""
    page.goto(hostile.as_uri())
    page.wait_for_selector("body[data-ready]")
    page.click("#tab-tree")
    page.locator("#panel-tree select").first.select_option(label="picture, stored")
    page.fill("#search", "pwned=1<")
    eventually(page.locator(".line")).to_have_count(3)
    page.locator(".line").last.click()
    assert visible(TEXTS[0]) in page.locator(".details").inner_text()
    page.locator(".details .preview").click()
    assert_harmless(page)
    assert page.locator("a[href$='.svg']").count() == 0


def test_only_http_becomes_a_link(page: Page, hostile: Path) -> None:
    """javascript:, data: and file: addresses are shown, but are no links; commands are quoted."""
    page.goto(hostile.as_uri())
    page.wait_for_selector("body[data-ready]")
    page.click("#tab-failures")
    group = page.locator(".reason", has=page.locator("summary", has_text="bad-url"))
    shown = group.inner_text()
    for url in URLS:
        if "secret-word" not in url:
            assert visible(url) in shown
    hrefs = page.evaluate("[...document.querySelectorAll('a[href]')].map((link) => link.getAttribute('href'))")
    assert all(re.match(r"https?://|pictures/|#", href) for href in hrefs)
    assert r"'https://gallery.example/'\''; rm -rf ~; echo '\'''" in shown
    assert "secret-word" not in page.content()


def assert_harmless(page: Page) -> None:
    """Nothing ran, and no element is there that we did not make."""
    assert page.evaluate("window.pwned") is None
    foreign = "iframe, form:not(#search-form), base, main script, main style, main meta, [onerror], [onload]"
    assert page.locator(foreign).count() == 0
    assert page.url.startswith("file:")
