"""What a body looks like that is no picture, in words for the user."""

from __future__ import annotations

import html
import re

from w3lib.encoding import html_to_unicode

_HEAD_BYTES = 16384
_MOST_CHARACTERS = 80
_TITLE = re.compile(r"<title[^>]*>([^<]{0,2000})", re.IGNORECASE)
_MARKUP = re.compile(r"<(?:!doctype\s+html|html|head|body|title|meta|script|div|p|h1|br|center|table)\b", re.IGNORECASE)

# signature of the first bytes → what it is
_KNOWN: tuple[tuple[bytes, str], ...] = (
    (rb"%PDF-", "a PDF document"),
    (rb"PK\x03\x04", "a ZIP archive"),
    (rb"\x1f\x8b", "gzip-compressed data"),
    (rb"\x28\xb5\x2f\xfd", "zstd-compressed data"),
    (rb"Rar!|7z\xbc\xaf", "an archive"),
    (rb"\x1a\x45\xdf\xa3", "a WebM or Matroska video"),
    (rb"[\x00-\xff]{4}ftyp|[\x00-\xff]{4}moov", "an MP4 or QuickTime video"),
    (rb"\x00\x00\x01[\xb3\xba]|FLV\x01|RIFF[\x00-\xff]{4}AVI |OggS", "a video"),
    (rb"ID3|RIFF[\x00-\xff]{4}WAVE|fLaC", "a sound file"),
    (rb"wOF[F2]|\x00\x01\x00\x00\x00|OTTO", "a font"),
    (rb"#EXTM3U", "a video playlist"),
    (rb"\x00+\Z", "nothing but zero bytes"),
)
_SIGNATURES = tuple((re.compile(signature, re.DOTALL), words) for signature, words in _KNOWN)


def describe(head: bytes) -> str:
    """What the first bytes of a body look like, as ``an HTML page titled "Log in"`` or ``a PDF document``."""
    head = head[:_HEAD_BYTES]
    for signature, words in _SIGNATURES:
        if signature.match(head):
            return words
    is_binary = b"\0" in head[:512] and not head.startswith((b"\xff\xfe", b"\xfe\xff"))
    return (None if is_binary else _describe_text(head)) or f"unknown binary data beginning {head[:8].hex(' ')}"


def _describe_text(head: bytes) -> str | None:
    _encoding, text = html_to_unicode(None, head)
    text = text.lstrip("\ufeff \t\r\n\f\0")
    if text.startswith("<") or _MARKUP.search(text):
        return _describe_markup(text)
    if re.match(r'[\[{]\s*["\[{\]}\d-]', text):
        return f"JSON: {_plain(text)}"
    sample = text[:512]
    if sum(each.isprintable() or each.isspace() for each in sample) < 0.9 * len(sample):
        return None
    return f'text: "{_plain(text)}"' if text else "nothing but white space"


def _describe_markup(text: str) -> str:
    title = _TITLE.search(text)
    words = _plain(html.unescape(title[1])) if title else ""
    if not title and not _MARKUP.search(text):
        return f"XML: {_plain(text)}"
    return f'an HTML page titled "{words}"' if words else "an HTML page without a title"


def _plain(text: str) -> str:
    """One short line that is safe to print."""
    words = " ".join("".join(each if each.isprintable() else " " for each in text[:2000]).split())
    return words if len(words) <= _MOST_CHARACTERS else words[: _MOST_CHARACTERS - 1] + "…"
