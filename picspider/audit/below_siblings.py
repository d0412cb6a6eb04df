"""An album far below its siblings, on a site where the others are of much the same size."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import TYPE_CHECKING

from picspider.audit.site import Site
from picspider.errors import counted

if TYPE_CHECKING:
    from picspider.records import Suspect

KIND = "below-siblings"
FEWEST_ALBUMS = 8
SMALLEST_MEDIAN = 8
FAR_BELOW = 0.25
# Nine albums of ten have at least this share of the median, or small ones are nothing unusual here.
USUAL_SHARE = 0.5


def small_albums(site: Site) -> Iterator[Suspect]:
    """Albums with less than a quarter of the usual number of links. The newest may have just begun."""
    if not site.album_layer:
        return
    sizes = {album.id: album.links for album in site.albums() if album.links and not album.unread}
    if len(sizes) <= FEWEST_ALBUMS:
        return
    del sizes[max(sizes)]
    usual = median(sizes.values())
    low = sorted(sizes.values())[max(1, len(sizes) // 10)]
    if usual < SMALLEST_MEDIAN or low < USUAL_SHARE * usual:
        return
    for row, links in sizes.items():
        if links < FAR_BELOW * usual:
            found = f"only {counted(links, 'link')} found here; its siblings have {round(usual)} or so"
            yield site.suspect(KIND, row, found)
