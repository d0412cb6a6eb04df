from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from picspider.links.charset import decode

META = b'<!doctype html><html><head><meta charset="%s"></head><body>'


@pytest.mark.parametrize(
    ("body", "charset", "content_type", "text"),
    [
        ("é".encode(), None, None, "é"),
        ("é".encode("cp1252"), None, "text/html; charset=iso-8859-1", "é"),
        ("中文".encode("gbk"), "gbk", None, "中文"),
        ("한글 页".encode("gb18030"), "gb2312", None, "한글 页"),
        (b"\xef\xbb\xbf" + "é".encode(), "iso-8859-1", None, "é"),
        ("é".encode("utf-16"), None, None, "é"),
        ("<p>é</p>".encode("utf-16-le"), None, None, "<p>é</p>"),
        ("é".encode(), "nonsense", "text/html; charset=also-nonsense", "é"),
        ("日本語のページ".encode("cp932"), "utf-8", None, "日本語のページ"),
        ("é".encode(), "iso-8859-1", None, "é"),
        (b"\xff\xfe\xfa", "utf-8", None, None),
        (b"", None, None, ""),
    ],
)
def test_declared_and_undeclared(body: bytes, charset: str | None, content_type: str | None, text: str | None) -> None:
    """Mark, header, content and guess agree on the text a person would read."""
    decoded, _ = decode(body, charset, content_type)
    if text is not None:
        assert decoded == text


def test_meta_declarations() -> None:
    """The page's own declaration counts, gb2312 as its superset, utf-16 as UTF-8."""
    assert decode(META % b"gb2312" + "镕".encode("gbk"))[0].endswith("镕")
    assert decode(META % b"utf-16" + "é".encode())[1] == "utf-8"
    assert decode(META % b"gbk" + b"ascii only")[1] == "gb18030"
    wrong_header = decode(META % b"shift_jis" + "次へ".encode("cp932"), "utf-8")
    assert wrong_header == (decode(META % b"shift_jis" + "次へ".encode("cp932"))[0], "cp932")


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp932", "次のページへ"),
        ("euc_jp", "写真ギャラリー 次へ"),
        ("gb18030", "图片 下一页 上一页"),
        ("big5", "圖片 下一頁 上一頁"),
        ("cp949", "다음 페이지"),
        ("cp1251", "следующая страница"),
        ("cp1251", "Далее"),
        ("cp1252", "Größe: schöne Bilder"),
    ],
)
def test_undeclared_pages_are_guessed(encoding: str, text: str) -> None:
    """Old pages without a declaration come out readable."""
    body = f'<html><body><a href="/p/1.jpg">1</a> <a href="/2.html">{text}</a></body></html>'.encode(encoding)
    assert text in decode(body)[0]


@given(st.binary(max_size=200), st.sampled_from([None, "utf-8", "gbk", "utf-7", "iso-2022-jp", "hz", "x"]))
def test_any_bytes_decode(body: bytes, charset: str | None) -> None:
    """Decoding never raises."""
    text, encoding = decode(body, charset)
    assert isinstance(text, str)
    assert "é".encode(encoding, "replace")
