from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from tests.conftest import Serve
from tests.crawls.running import Crawl, picspider_crawl
from tests.report.conftest import Answers, eventually
from tests.sites.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Made = tuple[Answers, Crawl]


def open_report(page: Page, gallery: Made) -> None:
    """Open report.html and wait until its rows are read."""
    page.goto((gallery[1].output / "report.html").as_uri())
    page.wait_for_selector("body[data-ready]", timeout=10_000)


def test_totals_add_up(page: Page, gallery: Made) -> None:
    """The tiles before the sum add up to it, and the table's last line says the same."""
    open_report(page, gallery)
    figures = [int(re.sub(r"\D", "", text)) for text in page.locator(".tile .figure").all_inner_texts()]
    assert sum(figures[:-1]) == figures[-1] > 0
    assert int(page.locator("tfoot td").last.inner_text()) == figures[-1]


def test_changes_since_the_last_run(page: Page, serve: Serve, tmp_path: Path) -> None:
    """After an update the overview tells what is new and what is gone, with addresses on demand; before, nothing."""
    config = tmp_path / "site.yaml"
    root, report = tmp_path / "site", tmp_path / "out/report.html"

    def crawled(numbers: range) -> None:
        site = Site()
        site.page("/", "".join(f'<img src="{site.picture(f"/{number}.jpg", number)}">' for number in numbers))
        site.write(root)
        if not config.exists():
            config.write_text(f"entry: {serve(root).base}/\nlayers: ['\\.jpg$']\n", encoding="utf-8")
        picspider_crawl(config, tmp_path / "out")
        page.goto(report.as_uri())
        page.wait_for_selector("body[data-ready]", timeout=10_000)

    crawled(range(3))
    assert page.locator("h3", has_text="Since the last run").count() == 0
    crawled(range(1, 5))
    boxes = page.locator(".changes")
    assert boxes.locator("summary").all_inner_texts() == [
        "New: picture links: 2", "Changed: pages: 1", "No longer on the site: picture links: 1",
    ]  # fmt: skip
    boxes.first.locator("summary").click()
    assert [url[-6:] for url in boxes.first.locator("a").all_inner_texts()] == ["/3.jpg", "/4.jpg"]
    crawled(range(1, 5))
    card = page.locator(".card", has_text="Since the last run")
    assert card.inner_text().endswith("Nothing is new, recovered, changed or gone.")


def test_failed_picture_is_found_by_its_place(page: Page, gallery: Made) -> None:
    """The failure list gives the way from the entry to the picture; a step of it opens the tree at that place."""
    open_report(page, gallery)
    page.click("#tab-failures")
    entry = page.locator(".entry", has_text="gone.jpg")
    steps = entry.locator(".path li").all_inner_texts()
    assert steps[1:] == ["Coast", "page 2", "Coast 4", "Coast 5"]
    entry.locator(".path button").last.click()
    line = page.locator(".line.chosen")
    assert "Coast 5" in line.inner_text()
    assert line.get_attribute("aria-level") == "5"
    assert "404" in page.locator(".details").inner_text()


def test_retry_command_is_copied(page: Page, gallery: Made) -> None:
    """The button beside a retry command puts that command on the clipboard."""
    page.goto((gallery[1].output / "report.html").as_uri())
    page.wait_for_selector("body[data-ready]")
    page.click("#tab-failures")
    command = page.locator(".reason .command").first
    # A file has no clipboard of its own here; the page then says so and leaves the text selectable.
    command.locator("button").click()
    page.wait_for_selector(".toast")
    assert command.locator("code").inner_text() == f"picspider retry {gallery[1].output} --reason http"


def test_search_filters_the_tree(page: Page, gallery: Made) -> None:
    """What is searched remains, together with the pages that lead to it."""
    open_report(page, gallery)
    page.click("#tab-tree")
    page.fill("#search", "sorry.jpg")
    eventually(page.locator(".line")).to_have_count(5)
    last = page.locator(".line").last.text_content() or ""
    assert last.startswith("✕failed: Dunes 2http")
    assert last.endswith("not-a-picture")
    page.fill("#search", "no such thing")
    page.wait_for_selector(".tree.none")


def test_state_filter(page: Page, gallery: Made) -> None:
    """Filtered by state, the tree shows the failures and the ways to them."""
    open_report(page, gallery)
    page.click("#tab-tree")
    page.locator("#panel-tree select").first.select_option(label="failed")
    eventually(page.locator("#panel-tree [role=status]")).to_have_text("3 matches")


def test_tree_by_keyboard(page: Page, gallery: Made) -> None:
    """Arrow keys walk the tree, open and close it; the screen reader is told which line is meant."""
    open_report(page, gallery)
    page.click("#tab-tree")
    page.click("text=Collapse all")
    page.locator(".tree").focus()
    page.keyboard.press("ArrowDown")
    assert page.locator(".line").count() == 1
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    active = page.locator(".tree").get_attribute("aria-activedescendant")
    assert active is not None
    line = page.locator(f"#{active}")
    assert line.get_attribute("aria-expanded") == "false"
    assert "Coast" in line.inner_text()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.locator(".line").count() == 1


def test_pictures_by_album_and_viewer(page: Page, gallery: Made) -> None:
    """Pictures stand under their album with a thumbnail inside the file, and open large from the folder."""
    open_report(page, gallery)
    page.click("#tab-pictures")
    assert page.locator(".album").first.inner_text().replace("\n", " ") == "Coast 5 pictures"
    assert (page.locator(".cell img").first.get_attribute("src") or "").startswith("data:image/webp;base64,")
    page.locator(".cell").first.click()
    eventually(page.locator("dialog img")).to_have_js_property("naturalWidth", 640)
    page.keyboard.press("ArrowRight")
    assert "2 of 25" in page.locator("dialog").inner_text()
    page.keyboard.press("Escape")
    assert not page.locator("dialog").is_visible()


def test_repeats_and_skips(page: Page, gallery: Made) -> None:
    """Repeats come as pairs of places, skips with the reason of the filter."""
    open_report(page, gallery)
    page.click("#tab-repeats")
    pair = page.locator(".pair", has_text="copy-of-3.png").inner_text()
    assert "Coast" in pair
    assert "Dunes" in pair
    page.click("#tab-skips")
    assert "too-small" in page.locator("#panel-skips summary").inner_text()


def test_what_may_pass_and_what_looks_incomplete(page: Page, serve: Serve, tmp_path: Path) -> None:
    """Passing failures are counted, repeats are badges of the tree, and an audit without finds says so."""
    site = Site()
    site.page("/", "<a href=/album/1>One</a> <a href=/album/1>One again</a>")
    site.page("/album/1", '<img src="/full/1.jpg"><img src="/full/2.jpg">')
    site.picture("/full/1.jpg", 1)
    server = serve(site.write(tmp_path / "site"))
    config = tmp_path / "site.yaml"
    config.write_text(f"entry: {server.base}/\nlayers: ['/album/', '/full/']\n", encoding="utf-8")
    picspider_crawl(config, tmp_path / "out")
    page.goto((tmp_path / "out" / "report.html").as_uri())
    page.wait_for_selector("body[data-ready]")
    page.click("#tab-tree")
    assert page.locator("#panel-tree .line .chip.repeat").first.inner_text().split()[:2] == ["↺", "1"]
    page.click("#tab-failures")
    assert "may pass" not in page.locator("#panel-failures summary").inner_text()
    page.click("#tab-suspects")
    assert page.locator("#panel-suspects").inner_text().endswith("Nothing looks incomplete.")


def test_chinese_by_the_browsers_language(browser: Browser, gallery: Made) -> None:
    """A Chinese browser gets Chinese texts; those of the site stay as they are."""
    context = browser.new_context(locale="zh-CN")
    page = context.new_page()
    open_report(page, gallery)
    assert page.locator("html").get_attribute("lang") == "zh"
    assert "失败" in page.locator("#tab-failures").inner_text()
    page.click("#tab-failures")
    assert "服务器" in page.locator("#panel-failures").inner_text()
    assert "Coast" in page.locator("#panel-failures").inner_text()
    context.close()


def test_without_javascript_the_totals_are_there(browser: Browser, gallery: Made) -> None:
    """A browser without scripts still shows totals and reasons."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((gallery[1].output / "report.html").as_uri())
    text = page.locator("main").inner_text()
    assert "25 pictures" in text
    assert "truncated: 1" in text
    context.close()
