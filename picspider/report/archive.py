"""Blocks of the report as one compressed stream: a JSON document a line, deflated; the browser reads it as it comes."""

from __future__ import annotations

import base64
import json
import zlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

LEVEL = 5


def deflated(blocks: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """*blocks* as JSON lines in zlib format (the browser's `deflate`), in pieces."""
    compressor = zlib.compressobj(LEVEL)
    for block in blocks:
        line = json.dumps(block, ensure_ascii=False, separators=(",", ":")) + "\n"
        yield compressor.compress(line.encode("utf-8", "surrogatepass"))
    yield compressor.flush()


def base64_text(pieces: Iterable[bytes]) -> Iterator[str]:
    """*pieces* as one base64 text, in pieces."""
    rest = b""
    for piece in pieces:
        rest += piece
        whole = len(rest) - len(rest) % 3
        if whole:
            yield base64.b64encode(rest[:whole]).decode()
            rest = rest[whole:]
    if rest:
        yield base64.b64encode(rest).decode()
