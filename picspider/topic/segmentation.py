"""Text in Chinese, English or both, cut into words.

Han runs are cut by the first segmenter of `SEGMENTERS` that is installed (extra `zh`: rjieba, or jieba); without
one, into overlapping pairs of characters, which find the same pages with a little more noise. Everything else is
cut at what is neither letter nor digit. Width, case and the traditional script are folded first.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from picspider.topic.stop_words import stop_words

Cut = Callable[[str], list[str]]

HAN = "\u2e80-\u2fdf\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HAN_RUN = re.compile(f"[{HAN}]+")
_RUN = re.compile(rf"[{HAN}]+|[^\W_{HAN}]+")


def words(text: str) -> list[str]:
    """The words of *text* in order, folded, without stop words and bare numbers."""
    ignored = stop_words()
    return [word for word in all_words(text) if word not in ignored and not word.isdecimal()]


def all_words(text: str) -> list[str]:
    """The words of *text* in order, folded, stop words included."""
    found: list[str] = []
    cut = segmenter()
    for run in _RUN.findall(fold(text)):
        if _HAN_RUN.match(run):
            found.extend(cut(run))
        else:
            found.append(run)
    return found


def fold(text: str) -> str:
    """*text* with full-width forms, case and script folded: NFKC, lower case, traditional to simplified Chinese."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", text).lower()
    return _to_simplified()(text) if _HAN_RUN.search(text) else text


def character_pairs(run: str) -> list[str]:
    """Overlapping pairs of the characters of *run*; a single character is its own word."""
    return [run[start : start + 2] for start in range(len(run) - 1)] or [run]


def _cut_by(module: str) -> Callable[[], Cut]:
    def load() -> Cut:
        cut = import_module(module).cut
        return lambda run: list(cut(run))

    return load


# name → (module that must be installed, loader); the first one that is installed is used
SEGMENTERS: dict[str, tuple[str | None, Callable[[], Cut]]] = {
    "rjieba": ("rjieba", _cut_by("rjieba")),
    "jieba": ("jieba", _cut_by("jieba")),
    "pairs": (None, lambda: character_pairs),
}


@cache
def segmenter(name: str | None = None) -> Cut:
    """The segmenter called *name*, else the first installed one. Raises KeyError, ModuleNotFoundError."""
    if name is None:
        name = next(key for key, (module, _) in SEGMENTERS.items() if module is None or find_spec(module))
    return SEGMENTERS[name][1]()


@cache
def _to_simplified() -> Callable[[str], str]:
    """OpenCC's conversion `tw2sp`; the text as it is where OpenCC (extra `zh`) is missing.

    Of OpenCC's conversions it is the one that also folds Taiwan's words for the same thing: 資料庫 becomes 数据库.
    """
    if find_spec("opencc") is None:
        return lambda text: text
    convert: Callable[[str], str] = import_module("opencc").OpenCC("tw2sp").convert
    return convert
