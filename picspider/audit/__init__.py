"""The completeness audit: what looks as if something were missing although nothing failed.

Each check is one file and one line in `CHECKS`. A check only reads the store, and what is a failure already is no
suspect: it has been told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from picspider.audit.below_siblings import small_albums
from picspider.audit.dry_pages import pages_without_links
from picspider.audit.number_gaps import missing_numbers
from picspider.audit.site import Site
from picspider.audit.stated_count import fewer_than_stated
from picspider.records import Suspect

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["CHECKS", "suspects"]

Check = Callable[[Site], Iterator[Suspect]]
# By the kind of the suspects.
CHECKS: dict[str, Check] = {
    "dry-page": pages_without_links,
    "stated-count": fewer_than_stated,
    "number-gap": missing_numbers,
    "below-siblings": small_albums,
}


def suspects(connection: Connection) -> Iterator[Suspect]:
    """All suspects of the crawl behind *connection*; none for crawls that are not made of layers.

    Costs about a microsecond a row; memory does not grow with the pictures but by eight bytes each.
    """
    site = Site.of(connection)
    if site is not None:
        for check in CHECKS.values():
            yield from check(site)
