from __future__ import annotations

import time
from pathlib import Path

import pytest
from scrapy.http import HtmlResponse

from picspider.links.page import Page
from picspider.records import KeptPage
from picspider.spiders.page_files import PageFiles, date_of
from picspider.strategy.topic import judge
from picspider.topic import MODELS, Topic

BODY = "<title>兰花</title><h1>兰花</h1><p>兰花喜欢雾。</p><script>x()</script>".encode("gbk")


def write(files: PageFiles, url: str) -> KeptPage:
    """Have a Chinese page written that was asked for as *url*."""
    response = HtmlResponse(url, body=BODY, headers={"Content-Type": "text/html; charset=gbk"})
    page = Page(url, BODY, content_type="text/html; charset=gbk")
    return files.write(url, response, page, judge(MODELS["vsm-4b-c"](Topic.from_text("兰花")), page))


def test_bytes_as_sent_and_text_to_read(tmp_path: Path) -> None:
    """The page keeps its encoding; the text beside it is UTF-8 without markup."""
    kept = write(PageFiles(tmp_path), "http://a.example/%E5%85%B0.html")
    assert (tmp_path / "pages" / kept.file).read_bytes() == BODY
    text = (tmp_path / "pages" / kept.text_file).read_text(encoding="utf-8")
    assert "兰花喜欢雾。" in text
    assert "x()" not in text
    assert kept.file.startswith("a.example/兰-")
    assert kept.title == "兰花"
    assert kept.bytes == len(BODY)


@pytest.mark.parametrize(
    "url", ["http://a.example/", "http://a.example/../../etc/passwd", f"http://a.example/{'x' * 3000}",
            "http://a.example:8080/con.html?q=1", "http://[::1]:80/a%00b%2F..%2Fc"]
)  # fmt: skip
def test_names_are_safe(url: str, tmp_path: Path) -> None:
    """Whatever the address, the file is in the folder `pages`, one folder below it."""
    kept = write(PageFiles(tmp_path), url)
    file = (tmp_path / "pages" / kept.file).resolve()
    assert file.is_file()
    assert file.parent.parent == (tmp_path / "pages").resolve()


def test_one_name_for_one_address(tmp_path: Path) -> None:
    """Written twice it is one file; another address has another, even if it looks alike; `remove` takes both files."""
    files = PageFiles(tmp_path)
    first, again = write(files, "http://a.example/x?p=1"), write(files, "http://a.example/x?p=1")
    other = write(files, "http://a.example/x?p=2")
    assert first.file == again.file != other.file
    files.remove("http://a.example/x?p=1")
    files.remove("http://a.example/never-written")
    assert {file.name for file in (tmp_path / "pages" / "a.example").iterdir()} == {
        Path(other.file).name, Path(other.text_file).name
    }  # fmt: skip


def test_date() -> None:
    """The Date header if it is one, else now."""
    stated = HtmlResponse("http://a.example/", headers={"Date": "Sun, 06 Nov 1994 08:49:37 GMT"})
    assert date_of(stated) == 784111777
    for header in ({}, {"Date": "yesterday"}, {"Date": b"\xff"}):
        assert abs(date_of(HtmlResponse("http://a.example/", headers=header)) - time.time()) < 60
