"""Pages in all encodings, rightly and wrongly declared: paths go out as UTF-8, queries in the page's encoding."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from picspider.links.page import Page

CHINESE = "<title>图库</title><a href='/图/风景.jpg?q=风景'>下一页</a><p>这是一个图片网站, 有很多漂亮的风景图片</p>"
TRADITIONAL = "<title>圖庫</title><a href='/圖/風景.jpg?q=風景'>下一頁</a>"
JAPANESE = "<title>写真</title><a href='/写真/日本語.jpg?q=日本'>次のページへ進む。カタカナとひらがな</a>"
RUSSIAN = "<title>Картинки</title><a href='/лес/лес.jpg?q=лес'>Следующая</a><p>Добро пожаловать в галерею картинок</p>"
GERMAN = "<title>Übersicht</title><a href='/Käse/größe.jpg?q=ö'>Nächste Seite über Größe</a>"
KOREAN = "<title>사진</title><a href='/사진/한국.jpg?q=한'>다음 페이지 사진 목록</a>"
ARABIC = "<title>صور</title><a href='/صور/1.jpg?q=صور'>التالي</a>"
QUERIES = {
    CHINESE: "风景",
    TRADITIONAL: "風景",
    JAPANESE: "日本",
    RUSSIAN: "лес",
    GERMAN: "ö",
    KOREAN: "한",
    ARABIC: "صور",
}


def meta(name: str) -> str:
    """How a page names its encoding."""
    return f"<html><head><meta charset={name}></head>"


def old_meta(name: str) -> str:
    """How pages of old do."""
    return f"<META HTTP-EQUIV='Content-Type' CONTENT='text/html; charset={name}'>"


# What the page begins with, its text, the encoding it is truly in, what the header says of it.
PAGES: dict[str, tuple[str, str, str, str]] = {
    "nothing said, UTF-8": ("", CHINESE, "utf-8", ""),
    "header, quoted": ("", CHINESE, "utf-8", '"UTF-8"'),
    "header without hyphen": ("", CHINESE, "utf-8", "utf8"),
    "meta gbk": (meta("gbk"), CHINESE, "gbk", ""),
    "gb2312, but it is more": (old_meta("gb2312"), CHINESE, "gb18030", ""),
    "header GBK": ("", CHINESE, "gbk", "GBK"),
    "nothing said, GBK": ("", CHINESE, "gbk", ""),
    "meta gbk, but it is UTF-8": (meta("gbk"), CHINESE, "utf-8", ""),
    "meta UTF-8, but it is GBK": (meta("utf-8"), CHINESE, "gbk", ""),
    "header UTF-8, meta right": (meta("gbk"), CHINESE, "gbk", "utf-8"),
    "header Latin-1, meta right": (meta("utf-8"), CHINESE, "utf-8", "ISO-8859-1"),
    "header Latin-1, but it is UTF-8": ("", CHINESE, "utf-8", "ISO-8859-1"),
    "header ASCII, but it is UTF-8": ("", CHINESE, "utf-8", "us-ascii"),
    "header unheard-of": (meta("foo-8"), CHINESE, "utf-8", "bar"),
    "header empty": ("", CHINESE, "utf-8", " "),
    "mark against header": ("\ufeff", CHINESE, "utf-8", "gbk"),
    "UTF-16 with mark": ("", CHINESE, "utf-16", ""),
    "UTF-16 big with mark": ("\ufeff", CHINESE, "utf-16-be", ""),
    "UTF-16 without mark": ("", CHINESE, "utf-16-le", ""),
    "UTF-16 big, header vague": ("", CHINESE, "utf-16-be", "utf-16"),
    "meta UTF-16, but it is UTF-8": (meta("utf-16"), CHINESE, "utf-8", ""),
    "XML declaration": ('<?xml version="1.0" encoding="gbk"?><html>', CHINESE, "gbk", ""),
    "meta late": (f"<html><!--{'x' * 2000}--><meta charset=gbk>", CHINESE, "gbk", ""),
    "meta in a comment": ("<!-- <meta charset=gbk> -->", CHINESE, "utf-8", ""),
    "Big5": (meta("big5"), TRADITIONAL, "big5", ""),
    "Shift-JIS": (old_meta("Shift_JIS"), JAPANESE, "cp932", ""),
    "nothing said, Shift-JIS": ("", JAPANESE, "cp932", ""),
    "EUC-JP by an old name": (meta("x-euc-jp"), JAPANESE, "euc_jp", ""),
    "nothing said, ISO-2022-JP": ("", JAPANESE, "iso2022_jp", ""),
    "windows-1251": (meta("windows-1251"), RUSSIAN, "cp1251", ""),
    "nothing said, windows-1251": ("", RUSSIAN, "cp1251", ""),
    "nothing said, KOI8": ("", RUSSIAN, "koi8_r", ""),
    "Korean by a standard's number": (meta("ks_c_5601-1987"), KOREAN, "cp949", ""),
    "Latin-1": ("", GERMAN, "latin-1", "ISO-8859-1"),
    "nothing said, Latin-1": ("", GERMAN, "latin-1", ""),
    "windows-1256": (meta("windows-1256"), ARABIC, "cp1256", ""),
}


@pytest.mark.parametrize("name", PAGES)
def test_page(name: str) -> None:
    """Title and link come out right, whatever was declared."""
    start, text, encoding, declared = PAGES[name]
    header = f"text/html; charset={declared}" if declared else "text/html"
    page = Page("http://h.ex/", (start + text).encode(encoding), content_type=header)
    path = text.split("href='")[1].split("?")[0]
    sent = "utf-8" if encoding.startswith("utf") else encoding
    assert page.title == text[7:].split("</title>")[0]
    assert page.links()[0].url == f"http://h.ex{quote(path)}?q={quote(QUERIES[text].encode(sent))}"


@pytest.mark.parametrize("damage", [b"\xff", b"<p>\xe9\xff</p>", CHINESE.encode()[:-20] + b"\xe9"])
def test_a_few_wrong_bytes_do_not_change_the_encoding(damage: bytes) -> None:
    """Cut or mixed-in characters are replaced; the rest of the page stays what it says."""
    page = Page("http://h.ex/", CHINESE.encode() * 3 + damage, content_type="text/html; charset=utf-8")
    assert page.encoding == "utf-8"
    assert page.title == "图库"


def test_a_query_whose_bytes_look_like_marks() -> None:
    """The bytes of ISO-2022-JP are ASCII: none of them may end the query or part its parameters."""
    page = Page("http://h.ex/", "<a href='/a?q=Ｏ&n=1'>x</a>".encode("iso2022_jp"), charset="iso-2022-jp")
    assert page.links()[0].url == "http://h.ex/a?q=%1B%24B%23O%1B%28B&n=1"


def test_characters_that_the_encoding_does_not_have() -> None:
    """They go out as character references, escaped (URL standard, percent-encode after encoding)."""
    page = Page("http://h.ex/", b"<meta charset=windows-1252><a href='/a?q=&#22270;&amp;n=1'>x</a>")
    assert page.links()[0].url == "http://h.ex/a?q=%26%2322270%3B&n=1"


def test_a_page_of_plain_letters_is_in_the_encoding_it_names() -> None:
    """Nothing in its bytes tells, but the é of an entity goes out as the page's encoding writes it."""
    page = Page("http://h.ex/", b"<a href='/a?q=&eacute;'>x</a>", content_type="text/html; charset=iso-8859-1")
    assert page.links()[0].url == "http://h.ex/a?q=%E9"
