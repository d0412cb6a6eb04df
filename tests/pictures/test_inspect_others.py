"""What is no picture, and what cannot be decoded here."""

from __future__ import annotations

import pytest

from picspider.errors import Failed
from picspider.pictures import formats
from picspider.pictures import inspect as module
from picspider.pictures.inspect import inspect

SVG = b'<?xml version="1.0"?>\n<!-- drawn --><svg xmlns="http://www.w3.org/2000/svg" width="2in" height="50"><g/></svg>'
HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(100)
JXL = b"\xff\x0a" + (0b0_000_00101_1 | 0b11 << 9).to_bytes(20, "little")


def refusal(body: bytes) -> Failed:
    """The failure for *body*."""
    with pytest.raises(Failed) as caught:
        inspect(body)
    return caught.value


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"<!DOCTYPE html><html><head><title>Log in &amp; join\n us</title>", 'HTML page titled "Log in & join us"'),
        (b"\xef\xbb\xbf\r\n  <HTML><body>403", "HTML page without a title"),
        (b"<!-- x --><p>Hot-linking is not allowed</p>", "HTML page without a title"),
        (b"<html>" + b"<svg width='1' height='1'></svg>" * 9, "HTML page without a title"),
        ("<meta charset=gbk><title>登录</title>".encode("gbk"), 'HTML page titled "登录"'),
        ("<html><title>Zugriff</title>".encode("utf-16"), 'HTML page titled "Zugriff"'),
        (b"<title>\x1b[31mred\x07\xe2\x80\xae</title>", 'HTML page titled "[31mred"'),
        (b'<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', "XML:"),
        (b'{"error": "expired"}', 'JSON: {"error": "expired"}'),
        (b'[\n {"id": 1}]', "JSON:"),
        (b"Not found", 'text: "Not found"'),
        ("Доступ запрещён".encode(), 'text: "Доступ запрещён"'),
        (b" \n ", "nothing but white space"),
        (bytes(3000), "nothing but zero bytes"),
        (b"%PDF-1.7\n%\xe2\xe3", "a PDF document"),
        (b"\x1f\x8b\x08\0\0\0\0\0", "gzip-compressed data"),
        (b"\0\0\0\x20ftypisom\0\0\2\0isomiso2", "an MP4 or QuickTime video"),
        (b"\x1a\x45\xdf\xa3\x01\0\0\0", "a WebM or Matroska video"),
        (b"PK\x03\x04\x14\0", "a ZIP archive"),
        (b"\x01\x02\x03\x04\0\x80", "unknown binary data beginning 01 02 03 04 00 80"),
    ],
)
def test_message_says_what_it_is(body: bytes, words: str) -> None:
    """The user reads what came instead of the picture, on one line that is safe to print."""
    failed = refusal(body)
    assert failed.reason == "not-a-picture"
    assert words in failed.message
    assert failed.message.isprintable()


def test_long_title_is_shortened() -> None:
    """A page cannot fill the report."""
    assert len(refusal(b"<title>" + b"x" * 5000).message) < 150


def test_hostile_comments_cost_no_time() -> None:
    """Thousands of comments before a missing root element are read once, not in every combination."""
    assert refusal(b"<!---->" * 3000).reason == "not-a-picture"
    assert refusal(b"<!--" * 5000).reason == "not-a-picture"
    assert refusal(b"<!DOCTYPE svg [" * 2000).reason == "not-a-picture"


def test_svg_is_unsupported_unless_wanted() -> None:
    """SVG is kept unverified when the user names it, with the size that its root gives."""
    assert refusal(SVG).reason == "unsupported"
    facts = inspect(SVG, extra_formats=frozenset({"SVG"}))
    assert (facts.format, facts.width, facts.height, facts.extension) == ("SVG", 192, 50, ".svg")


@pytest.mark.parametrize(
    ("root", "size"),
    [
        (b"<svg viewBox='0 0 24 12.4'></svg>", (24, 12)),
        (b"<svg width='100%' height='100%' viewBox='0,0,30,40'/>", (30, 40)),
        (b"<svg:svg width='1e' height='2'></svg:svg>", (0, 0)),
        (b"<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'x.dtd' [<!ENTITY a 'b'>]>\n<svg></svg>", (0, 0)),
    ],
)
def test_size_of_svg(root: bytes, size: tuple[int, int]) -> None:
    """Width and height where they are plain, else the viewBox, else unknown."""
    facts = inspect(root, extra_formats=frozenset({"svg"}))
    assert (facts.width, facts.height) == size


@pytest.mark.parametrize("length", [20, 60, len(SVG) - 1])
def test_cut_svg_is_truncated(length: int) -> None:
    """An SVG without its end tag is not kept, wanted or not."""
    with pytest.raises(Failed) as caught:
        inspect(SVG[:length], extra_formats=frozenset({"SVG"}))
    assert caught.value.reason in ("truncated", "not-a-picture")


@pytest.mark.parametrize(("name", "body"), [("HEIF", HEIC), ("JXL", JXL)])
def test_without_plugin_kept_only_when_wanted(monkeypatch: pytest.MonkeyPatch, name: str, body: bytes) -> None:
    """HEIF and JXL without their plugins: unsupported, or kept unverified when the user names them."""
    monkeypatch.setattr(module, "has_decoder", lambda decoder: decoder == "PIL")
    assert refusal(body).reason == "unsupported"
    facts = inspect(body, extra_formats=frozenset({name}))
    assert (facts.format, facts.bytes) == (name, len(body))


def test_size_of_jxl_from_its_first_bits() -> None:
    """The codestream tells 48 pixels in eights, and the ratio 3:2 would be 72; read as the standard says."""
    known = formats.recognise(JXL)
    assert known is not None
    header = known.header(b"\xff\x0a" + (1 | 5 << 1 | 4 << 6 | 1 << 9).to_bytes(16, "little"))
    assert (header.width, header.height) == (72, 48)


def test_postscript_is_never_run() -> None:
    """Pillow would start Ghostscript to draw an EPS: it is unsupported unless wanted, and then not drawn."""
    body = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 30 20\n%%EndComments\nshowpage\n%%EOF\n"
    assert refusal(body).reason == "unsupported"
    facts = inspect(body, extra_formats=frozenset({"eps"}))
    assert (facts.format, facts.width, facts.height) == ("EPS", 30, 20)
