"""Gaps in the number series of an album: 001 to 045 without 017."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from sqlalchemy import and_, not_, select

from picspider.audit.series import FEWEST, AlbumSeries, Series
from picspider.audit.site import IS_READ, ROWS_AT_ONCE, Site, is_step
from picspider.schema import IS_PAGE, node, repeat
from picspider.urls import key_of

if TYPE_CHECKING:
    from sqlalchemy import FromClause

    from picspider.records import Suspect
    from picspider.visit import Kind

KIND = "number-gap"
MOST_NAMED = 10
Found = Iterable[tuple[str, int]]


def missing_numbers(site: Site) -> Iterator[Suspect]:
    """By the addresses that the album links to; if those have no numbers, by those of the pictures behind them.

    What is there as a failure, a skip or a repeat is not missing.
    """
    if site.album_layer is None:
        return
    whole = {album.id for album in site.albums() if not album.unread and album.links >= FEWEST}
    album_of = _album_of_pages(site, whole)
    kind: Kind = "picture" if site.album_layer + 1 == site.last else "page"
    series = _series(_linked(site), album_of)
    if site.album_layer + 1 < site.last and 2 * sum(each.counts for each in series.values()) < len(whole):
        kind, series = "picture", _series(_pictures_behind(site), album_of)
        lost = _lost_steps(site, album_of)
    else:
        lost = Counter[int]()
    for album, each in series.items():
        gaps = each.gaps()
        if gaps is not None:
            missing = _nowhere_else(site, kind, *gaps)
            if len(missing) > lost[album]:
                yield site.suspect(KIND, album, _message(gaps[0], missing))


def _album_of_pages(site: Site, whole: set[int]) -> dict[int, int]:
    """Page → album, for all pages of the albums in *whole*."""
    query = select(node.c.id, node.c.chain).where(node.c.layer == site.album_layer, IS_PAGE)
    rows = site.connection.execute(query.execution_options(yield_per=ROWS_AT_ONCE))
    return {page: chain for page, chain in rows if chain in whole}


def _series(found: Found, album_of: Mapping[int, int]) -> dict[int, AlbumSeries]:
    series: defaultdict[int, AlbumSeries] = defaultdict(AlbumSeries)
    for url, page in found:
        album = album_of.get(page)
        if album is not None:
            series[album].add(url)
    return series


def _linked(site: Site) -> Found:
    """(URL, page) of everything that pages of the album layer link to."""
    layer = (site.album_layer or 0) + 1
    yield from site.connection.execute(
        select(node.c.url, node.c.parent).where(is_step(layer)).execution_options(yield_per=ROWS_AT_ONCE)
    )
    yield from site.connection.execute(
        select(repeat.c.url, repeat.c.parent)
        .where(repeat.c.layer == layer, repeat.c.by == "url")
        .execution_options(yield_per=ROWS_AT_ONCE)
    )


def _pictures_behind(site: Site) -> Found:
    """(URL, page of the album layer) of all pictures."""
    joined: FromClause = node
    parent = node.c.parent
    for _ in range(site.last - (site.album_layer or 0) - 1):
        step, head = node.alias(), node.alias()
        joined = joined.join(step, step.c.id == parent).join(head, head.c.id == step.c.chain)
        parent = head.c.parent
    query = select(node.c.url, parent).select_from(joined).where(is_step(site.last))
    yield from site.connection.execute(query.execution_options(yield_per=ROWS_AT_ONCE))


def _lost_steps(site: Site, album_of: Mapping[int, int]) -> Counter[int]:
    """Album → how many pages on the way to its pictures could not be read, or stand in another album."""
    layer = (site.album_layer or 0) + 1
    unread = select(node.c.parent).where(and_(is_step(layer), not_(IS_READ)))
    elsewhere = select(repeat.c.parent).where(repeat.c.layer == layer)
    lost: Counter[int] = Counter()
    for query in (unread, elsewhere):
        for page in site.connection.scalars(query.execution_options(yield_per=ROWS_AT_ONCE)):
            if page in album_of:
                lost[album_of[page]] += 1
    return lost


def _nowhere_else(site: Site, kind: Kind, series: Series, missing: list[int]) -> list[int]:
    """The *missing* numbers whose addresses are not known from somewhere else on the site either."""
    keys = {key_of(series.url_of(number), kind, site.rules): number for number in missing[:500]}
    known = site.connection.scalars(select(node.c.key).where(node.c.key.in_(keys))).all()
    return sorted(keys[key] for key in keys.keys() - set(known))


def _message(series: Series, missing: list[int]) -> str:
    named = ", ".join(f"{number:0{series.digits}}" for number in missing[:MOST_NAMED])
    more = f" and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
    low, high = min(series.numbers), max(series.numbers)
    shown = f"{series.prefix.rpartition('/')[2]}{{n}}{series.suffix}"
    return f"the numbers {low} to {high} of {shown} lack {named}{more}"
