"""Character references in attribute values (HTML standard 13.2.5.72 ff.), for text that no parser has read."""

from __future__ import annotations

import re
from html import unescape as unescape_one
from html.entities import html5

_REFERENCE = re.compile(r"&(?:#(?:[0-9]+|[xX][0-9a-fA-F]+);?|[a-zA-Z][a-zA-Z0-9]*;?)")
LONGEST_LEGACY = max(len(name) for name in html5 if not name.endswith(";"))


def unescape_attribute(value: str) -> str:
    """*value* with character references decoded as in an attribute: `&copy=1` stays, as it is part of a query."""
    if "&" not in value:
        return value
    return _REFERENCE.sub(lambda reference: _decoded(reference, value), value)


def _decoded(reference: re.Match[str], value: str) -> str:
    written = reference[0]
    if written[1] == "#":
        return unescape_one(written) or "\ufffd"
    if written[1:] in html5:
        follower = value[reference.end() : reference.end() + 1]
        return written if follower == "=" and not written.endswith(";") else html5[written[1:]]
    return written
