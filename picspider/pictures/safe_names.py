"""Names that every file system takes, and that never leave their folder.

Windows is the strictest on characters (Microsoft, *Naming Files, Paths, and Namespaces*), Linux on bytes, macOS on
Unicode forms; a name is made so that all of them take it, whatever system the crawl runs on.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

# 255 bytes are allowed; the rest is for `.json` beside it and for the suffix of a file that is being written
MOST_PART_BYTES = 240
# macOS allows 1,024 for the whole, the output folder included
MOST_PATH_BYTES = 800

_MOST_TAG_BYTES = 80
# characters Windows refuses, controls, marks that turn the reading direction, half characters and non-characters
_UNSAFE = re.compile(
    r'[<>:"|?*\\/\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\ufff9-\uffff]'
)
_EDGES = re.compile(r"^\s+|[\s.]+$")
_RESERVED = re.compile(r"^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?= *(?:\.|$))", re.IGNORECASE)


def clean(text: str) -> str:
    """*text* as one part of a path: NFC, no character that a file system refuses, no device name, not hidden.

    May be empty: then there was nothing to keep. `clean(clean(x)) == clean(x)`. The length is not looked at.
    """
    part = _EDGES.sub("", _UNSAFE.sub("_", unicodedata.normalize("NFC", text)))
    if part.startswith("."):
        part = "_" + part[1:]
    return _RESERVED.sub(r"\1_", part)


def fit(stem: str, ending: str = "", most_bytes: int = MOST_PART_BYTES) -> str:
    """*stem* + *ending* in at most *most_bytes* bytes of UTF-8, shortened on a character border.

    What is cut off leaves eight digits of its hash, so that long names which differ only at the end stay distinct.
    """
    whole = stem + ending
    if len(whole.encode()) <= most_bytes:
        return whole
    mark = "~" + hashlib.blake2b(whole.encode(), digest_size=4).hexdigest()
    return _cut(stem, most_bytes - len((mark + ending).encode())) + mark + ending


def fit_path(parts: list[str], name: tuple[str, str]) -> str:
    """The folders *parts* and the file *name* (stem, extension) as one path, each part and the whole within length."""
    path = "/".join([*map(fit, parts), fit(*name)])
    if len(path.encode()) <= MOST_PATH_BYTES:
        return path
    share = min(MOST_PART_BYTES, MOST_PATH_BYTES // (len(parts) + 1) - 1)
    return "/".join([*(fit(part, most_bytes=share) for part in parts), fit(*name, share)])


def fold(path: str) -> str:
    """The key under which two paths clash on some file system: without regard to case and Unicode form.

    `fold(fold(x)) == fold(x)`.
    """
    # folding may leave a decomposed form, and composing may bring back a letter that folds (Unicode, section 3.13)
    folded = unicodedata.normalize("NFC", path).casefold()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", folded).casefold())


def with_suffix_tag(path: str, tag: str) -> str:
    """*path* with ``-tag`` before its extension, still within the length. Distinct tags give distinct paths.

    `tag`: letters and digits, as a number or the beginning of a hash.
    """
    folder, slash, name = path.rpartition("/")
    stem, dot, extension = name.rpartition(".")
    if not stem:
        stem, dot, extension = name, "", ""
    ending = "-" + _cut(clean(tag), _MOST_TAG_BYTES) + dot + extension
    room = MOST_PART_BYTES - len(ending.encode())
    return folder + slash + _cut(stem, room) + ending


def _cut(text: str, most_bytes: int) -> str:
    return text.encode()[: max(most_bytes, 0)].decode(errors="ignore").rstrip(" .")
