"""A stated count ("45 photos", "45 张", "[45P]") against what was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from picspider.audit.site import Album, Site
from picspider.links.stated import stated_in

if TYPE_CHECKING:
    from picspider.records import Suspect

KIND = "stated-count"
# As often as this on a site, a count is not the album's own ("1234 photos by this user").
FURNITURE_ALBUMS, FURNITURE_SHARE = 3, 0.5


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
    """Counts that most albums state, though most of them have fewer: they are said of something else."""
    stated: Counter[int] = Counter()
    short: Counter[int] = Counter()
    for album in site.albums():
        if album.stated is not None:
            stated[album.stated] += 1
            short[album.stated] += album.links < album.stated
    least = max(FURNITURE_ALBUMS, FURNITURE_SHARE * stated.total())
    return {number for number, count in stated.items() if count >= least and short[number] > FURNITURE_SHARE * count}
