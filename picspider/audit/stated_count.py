"""A stated count ("45 photos", "45 张", "[45P]") against what was found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from picspider.audit.site import Album, Site

if TYPE_CHECKING:
    from picspider.records import Suspect

KIND = "stated-count"
# As often as this on a site, a count is not the album's own ("1234 photos by this user").
FURNITURE_ALBUMS, FURNITURE_SHARE = 3, 0.5

_WORDS = (
    r"(?:photo(?:graph)?s?|pictures?|images?|pics|bild(?:er)?|fotos?|aufnahmen|im[aá]genes|fotograf[ií]as|immagini|"
    r"foto's|afbeeldingen|zdj[eę][cć]|фото(?:графи[йяи])?|изображени[йяе])(?!\w)"
)
_CHINESE = r"(?:张|張|枚|幅|장)"
_TAGS = r"\s{0,20}(?:(?:<[^<>]{0,80}>|&nbsp;)\s{0,20}){0,3}"
_NUMBER = r"(\d{1,3}(?:[.,]\d{3})+|\d{1,6})"
_STATED = re.compile(
    rf"(?<![\w.,/#&-]){_NUMBER}{_TAGS}(?:{_WORDS}|{_CHINESE})|[\[【(（](\d{{1,5}})\s?P[\]】)）]|"
    rf"(?<!\w)(?:photos|pictures|images|bilder|fotos|图片|照片|共)\s{{0,3}}[:：]\s{{0,3}}{_NUMBER}(?![\w.,/-])",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")


def stated_in(text: str) -> int | None:
    """The one number of pictures that *text*, a page's source or a link's text, states.

    None when it states none, or several that differ: then they are not all its own. A year is no count.
    """
    found = set()
    for match in _STATED.finditer(text):
        number = match[1] or match[2] or match[3]
        if not (match[1] and _YEAR.fullmatch(number)):
            found.add(int(re.sub(r"\D", "", number)))
    return found.pop() if len(found) == 1 else None


def fewer_than_stated(site: Site) -> Iterator[Suspect]:
    """Albums that have fewer links than the page, or the text of the link to it, says pictures. An album one of
    whose pages could not be read, or whose next pages the config limits, is none.
    """
    if site.album_layer is None or site.cut_chains:
        return
    furniture = _furniture(site)
    for album in site.albums():
        stated, where = _stated_of(album, furniture)
        if stated is not None and album.links < stated and not album.unread:
            yield site.suspect(KIND, album.id, f"{where} says {stated}, but {album.links} were found")


def _stated_of(album: Album, furniture: set[int]) -> tuple[int | None, str]:
    in_link = stated_in(album.text) if album.text else None
    if in_link is not None:
        return in_link, "the text of the link"
    return (album.stated if album.stated not in furniture else None), "the page"


def _furniture(site: Site) -> set[int]:
    counts = Counter(album.stated for album in site.albums() if album.stated is not None)
    albums = counts.total()
    return {
        number for number, count in counts.items() if count >= FURNITURE_ALBUMS and count > FURNITURE_SHARE * albums
    }
