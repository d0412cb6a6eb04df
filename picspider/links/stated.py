"""How many pictures a text says there are: "45 photos", "45 张", "[45P]"."""

from __future__ import annotations

import re
from collections.abc import Iterator

# How the words begin, for finding them fast, and what they have to be.
_STEMS = (
    "photo", "picture", "image", "pics", "bild", "foto", "aufnahmen", "imágenes", "immagini", "afbeeldingen", "zdję",
    "фото", "изображени", "图片", "照片", "张", "張", "枚", "장", "p]", "p】", "p)", "p）",
)  # fmt: skip
_WORD = re.compile(
    r"(?:photo(?:graph)?s?|pictures?|images?|pics|bild(?:er)?|foto(?:s|'s|graf[ií]as)?|aufnahmen|imágenes|immagini|"
    r"afbeeldingen|zdjęć|фото(?:графи[йяи])?|изображени[йяе])(?!\w)|图片|照片|[张張枚장]|p[\]】)）]"
)
_NUMBER = r"(\d{1,3}(?:[.,]\d{3})+|\d{1,6})"
_TAGS = r"\s{0,20}(?:(?:<[^<>]{0,80}>|&nbsp;)\s{0,20}){0,3}"
_BEFORE = re.compile(rf"(?<![a-z\d.,/#&_=第-]){_NUMBER}{_TAGS}\Z")
_AFTER = re.compile(rf"\s{{0,3}}[:：]\s{{0,3}}{_NUMBER}(?![\d\w])")
_LONGEST_BEFORE = 150
_YEAR = re.compile(r"(?:19|20)\d\d")
_OPENING = ("[", "【", "(", "（")


def stated_in(text: str) -> int | None:
    """The one number of pictures that *text*, a page's source or a link's text, states.

    None when it states none, or several that differ: then they are not all its own. A year is no count.
    """
    text = text.lower()
    counts = {int(re.sub(r"\D", "", number)) for stem in _STEMS for number in _counts_at(text, stem)}
    return counts.pop() if len(counts) == 1 else None


def _counts_at(text: str, stem: str) -> Iterator[str]:
    at = text.find(stem)
    while at >= 0:
        word = _WORD.match(text, at)
        before = text[at - 1] if at else " "
        if word is not None and (before.isspace() or before in ">;" or before.isdecimal() or not stem.isascii()):
            yield from _count_around(text, at, word)
        at = text.find(stem, at + 1)


def _count_around(text: str, at: int, word: re.Match[str]) -> Iterator[str]:
    after = _AFTER.match(text, word.end())
    found = _BEFORE.search(text[max(0, at - _LONGEST_BEFORE) : at])
    if after is not None:
        yield after[1]
    elif found is None:
        return
    elif word[0][0] == "p" and len(word[0]) == 2:
        # [45P], as Chinese forums have it
        if found.string[found.start() - 1 : found.start()] in _OPENING:
            yield found[1]
    elif not _YEAR.fullmatch(found[1]):
        yield found[1]
