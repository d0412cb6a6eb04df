"""Character references (HTML standard 13.2.5.72 ff.), for text that no parser has read."""

from __future__ import annotations

import html
import re
from html.entities import html5

_REFERENCE = re.compile(r"&(?:#(?:[0-9]+|[xX][0-9a-fA-F]+);?|[a-zA-Z][a-zA-Z0-9]*;?)")
# The codes that the standard replaces: those of Windows-1252, where pages of old mean its characters.
_WINDOWS = {code: bytes([code]).decode("cp1252", "replace") for code in range(0x80, 0xA0)}


def unescape_attribute(value: str) -> str:
    """*value* with character references decoded as in an attribute: `&copy=1` stays, as it is part of a query."""
    if "&" not in value:
        return value
    return _REFERENCE.sub(lambda reference: _in_attribute(reference, value), value)


def unescape_text(text: str) -> str:
    """*text* with character references decoded as between tags."""
    return _REFERENCE.sub(_in_text, text) if "&" in text else text


def _in_attribute(reference: re.Match[str], value: str) -> str:
    written = reference[0]
    if written[1] == "#":
        return _numbered(written)
    if written[1:] not in html5 or (not written.endswith(";") and value.startswith("=", reference.end())):
        return written
    return html5[written[1:]]


def _in_text(reference: re.Match[str]) -> str:
    written = reference[0]
    return _numbered(written) if written[1] == "#" else html.unescape(written)


def _numbered(written: str) -> str:
    digits = written[2:].rstrip(";")
    # More digits than any character has, leading zeros aside.
    digits = digits[:1] + digits[1:].lstrip("0") if digits[:1] in "xX" else digits.lstrip("0")
    if len(digits) > 8:
        return "\ufffd"
    code = int(digits[1:] or "0", 16) if digits[:1] in ("x", "X") else int(digits or "0")
    if code == 0 or code > 0x10FFFF or 0xD800 <= code < 0xE000:
        return "\ufffd"
    replaced = _WINDOWS.get(code)
    return replaced if replaced is not None and replaced != "\ufffd" else chr(code)
