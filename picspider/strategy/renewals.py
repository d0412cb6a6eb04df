"""Which link of a page read again is the fresh address of a picture whose old one has expired."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from picspider.strategy.layers import Visit


def renewals(visits: Sequence[Visit], expired: Iterable[tuple[int, str]]) -> dict[int, Visit]:
    """Row → the visit that shows its picture now, for those of *expired* (row, URL) that have one.

    It is the one of the same URL, or else the only one that differs in nothing but the query. Each visit is the fresh
    address of one row.
    """
    rows = list(expired)
    shown = {visit.url: visit for visit in visits}
    by_path: dict[str, list[Visit]] = {}
    for visit in visits:
        by_path.setdefault(_path(visit.url), []).append(visit)
    fresh = {row: shown[url] for row, url in rows if url in shown}
    taken = set(fresh.values())
    for row, url in rows:
        alike = by_path.get(_path(url), [])
        if row not in fresh and len(alike) == 1 and alike[0] not in taken:
            fresh[row] = alike[0]
            taken.add(alike[0])
    return fresh


def _path(url: str) -> str:
    return url.partition("?")[0]
