"""Text from outside, made fit to be shown: nothing in it acts, nothing in it hides, no password stands in it."""

from __future__ import annotations

import re

# C0 and C1 controls (escape sequences begin with them), line and paragraph separators, and the signs that turn the
# direction of writing: with those a text can show as another one (CVE-2021-42574).
_ACTING = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")
_USER_INFO = re.compile(r"(?<=://)[^/?#\s@]*@")


def visible(text: str, keep: str = "") -> str:
    r"""*text* with every acting character spelt out, as in `\x1b`; tabs and line ends become a space; *keep* stays."""
    return _ACTING.sub(lambda match: match[0] if match[0] in keep else _spelt(match[0]), text)


def without_password(text: str) -> str:
    """*text* without the `user:password@` of the URLs in it."""
    return _USER_INFO.sub("", text) if "@" in text else text


def _spelt(sign: str) -> str:
    code = ord(sign)
    if code in (9, 10, 13):
        return " "
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
