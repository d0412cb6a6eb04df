"""Heads of answers that break the rules, and that browsers read all the same (RFC 9112, 2.2 and 5.1 leave room)."""

from __future__ import annotations

import re

_HEAD_END = re.compile(rb"\r?\n\r?\n")
_LINE_END = re.compile(rb"\r?\n")
_STATUS_LINE = re.compile(rb"(?:HTTP/(\d)(?:\.(\d))?|ICY)[ \t]+(\d{3})(?!\d)", re.IGNORECASE)
_NAME = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")


def has_head(data: bytes) -> bool:
    """Whether *data* holds a whole head."""
    return _HEAD_END.search(data) is not None


def mended(data: bytes) -> bytes | None:
    """*data*, which begins with a whole head, with a head by the book; None when it is past help.

    Lines that are no header and heads of interim answers are dropped. Lengths that say the same become one, lengths
    that are no number none; lengths that contradict each other are past help (RFC 9112, 6.3).
    """
    data = data.lstrip(b"\r\n")
    end = _HEAD_END.search(data)
    status = _STATUS_LINE.match(data)
    if end is None or status is None or status[3] == b"101":
        return None
    rest = data[end.end() :]
    if status[3].startswith(b"1"):
        return mended(rest)
    headers = _headers(_LINE_END.split(data[: end.start()])[1:])
    lengths = {length for name, value in headers if name.lower() == b"content-length" for length in _lengths(value)}
    if len(lengths) > 1:
        return None
    kept = [(name, value) for name, value in headers if name.lower() != b"content-length"]
    kept += [(b"Content-Length", length) for length in lengths]
    is_old = (status[1] or b"0") == b"0" or (status[1], status[2]) == (b"1", b"0")
    lines = [b"HTTP/1.%d %b OK" % (not is_old, status[3]), *(name + b": " + value for name, value in kept)]
    return b"\r\n".join(lines) + b"\r\n\r\n" + rest


def _headers(lines: list[bytes]) -> list[tuple[bytes, bytes]]:
    headers: list[tuple[bytes, bytes]] = []
    for line in lines:
        if line[:1] in (b" ", b"\t") and headers:
            name, value = headers.pop()
            headers.append((name, (value + b" " + _plain(line)).strip()))
            continue
        name, colon, value = line.partition(b":")
        if colon and _NAME.fullmatch(name.strip()):
            headers.append((name.strip(), _plain(value)))
    return headers


def _plain(value: bytes) -> bytes:
    return _CONTROL.sub(b" ", value).strip()


def _lengths(value: bytes) -> list[bytes]:
    return [number.lstrip(b"0") or b"0" for part in value.split(b",") if (number := part.strip()).isdigit()]
