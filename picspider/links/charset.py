"""The text of a page's bytes: byte order mark, HTTP header, <meta>, and else a guess (Encoding standard; w3lib)."""

from __future__ import annotations

import re

from charset_normalizer import from_bytes
from w3lib.encoding import (
    html_body_declared_encoding,
    http_content_type_encoding,
    read_bom,
    resolve_encoding,
    to_unicode,
)

SAMPLE_BYTES = 60_000
WESTERN = "cp1252"
# What undeclared pages of old were written in; charset-normalizer weighs them.
CANDIDATES = ["cp932", "euc_jp", "gb18030", "big5", "cp949", "cp1251", "koi8_r", WESTERN]
_UTF8_DECLARED = re.compile(rb"""charset=["']?utf-8["'\s/>]""", re.IGNORECASE)
_MARKUP = re.compile(rb"<(?:script|style)\b.*?(?:</(?:script|style)|\Z)|<[^<>]*>", re.DOTALL | re.IGNORECASE)
_HALF_WIDTH_KANA = re.compile("[\uff61-\uff9f]")


def decode(body: bytes, charset: str | None = None, content_type: str | None = None) -> tuple[str, str]:
    """(text, encoding) of a page.

    *charset* and *content_type* are what the response declares. A declaration that the bytes belie gives way to one
    that fits: the one in the page, UTF-8, a guess. Never raises: what fits nothing becomes U+FFFD.
    """
    marked, mark = read_bom(body)
    if marked is not None:
        return to_unicode(body[len(mark or b"") :], marked), marked
    declared = (charset and resolve_encoding(charset)) or http_content_type_encoding(content_type)
    is_utf8 = declared == "utf-8" or (declared is None and _UTF8_DECLARED.search(body, 0, 1024))
    if is_utf8 and (text := _strictly(body, "utf-8")) is not None:
        return text, "utf-8"
    in_page = html_body_declared_encoding(body)
    if in_page and in_page.startswith("utf-16"):
        in_page = "utf-8"  # the declaration could not be read, were it true (HTML standard, prescan)
    for encoding in _order(body, declared, in_page):
        if (text := _strictly(body, encoding)) is not None:
            return text, encoding
    encoding = declared or in_page or "utf-8"
    text = to_unicode(body, encoding)
    if encoding != "utf-8" or _is_readable(text):
        return text, encoding
    encoding = _guess(body)
    return to_unicode(body, encoding), encoding


def _is_readable(text: str) -> bool:
    """A few broken characters do not make a page another encoding's."""
    foreign = sum(character > "\x7f" for character in text[:SAMPLE_BYTES])
    return text.count("\ufffd", 0, SAMPLE_BYTES) * 4 <= foreign


def _order(body: bytes, declared: str | None, in_page: str | None) -> list[str]:
    """The encodings to try. Servers declare Western blindly, and any bytes are Western: so it comes last."""
    if b"\0" in body[:100]:
        zeros_at_even = body[:100:2].count(0) > body[1:100:2].count(0)
        if body[:100].count(0) > len(body[:100]) // 4:
            return ["utf-16-be" if zeros_at_even else "utf-16-le"]
    named = [encoding for encoding in (declared, in_page) if encoding]
    if not named and b"\x1b$" in body:
        named = ["iso2022_jp"]  # made of ASCII only, so it would pass for UTF-8
    if body.isascii():  # fits all of them; what is declared decides how queries are written
        return [*named, "utf-8"]
    first = [encoding for encoding in named if encoding != WESTERN]
    return [*first, "utf-8", WESTERN] if WESTERN in named else [*first, "utf-8"]


def _strictly(body: bytes, encoding: str) -> str | None:
    try:
        return body.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _guess(body: bytes) -> str:
    sample = _MARKUP.sub(b" ", body[:SAMPLE_BYTES])
    candidates = [encoding for encoding in CANDIDATES if encoding != "cp932" or _may_be_shift_jis(sample)]
    best = from_bytes(sample, cp_isolation=candidates).best()
    return best.encoding if best is not None else WESTERN


def _may_be_shift_jis(sample: bytes) -> bool:
    """Half-width katakana are rare in real text, but what other encodings' letters look like."""
    text = sample.decode("cp932", "replace")
    foreign = sum(character > "\x7f" for character in text)
    return len(_HALF_WIDTH_KANA.findall(text)) * 10 <= foreign
