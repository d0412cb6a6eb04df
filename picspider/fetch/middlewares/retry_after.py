"""The Retry-After header (RFC 9110, 10.2.3)."""

from __future__ import annotations

import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy.http import Response


def retry_after_seconds(response: Response) -> float | None:
    """How long the server asks to wait, from its seconds or its date (by its own clock if it tells it)."""
    value = response.headers.get(b"Retry-After")
    if not value:
        return None
    text = value.decode("latin-1").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    then = _timestamp(text)
    if then is None:
        return None
    now = _timestamp((response.headers.get(b"Date") or b"").decode("latin-1")) or time.time()
    return max(0.0, then - now)


def _timestamp(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
