"""The completeness audit: what looks as if something were missing although nothing failed.

Each check is one file and one line in `CHECKS`. A check only reads the store, and what is a failure already is no
suspect: it has been told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from picspider.audit.below_siblings import below_siblings
from picspider.audit.dry_pages import dry_pages
from picspider.audit.number_gaps import number_gaps
from picspider.audit.site import Site
from picspider.audit.stated_count import fewer_than_stated
from picspider.records import Suspect

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["CHECKS", "suspects"]

Check = Callable[[Site], Iterator[Suspect]]
# By the kind of the suspects.
CHECKS: dict[str, Check] = {
    "dry-page": dry_pages,
    "stated-count": fewer_than_stated,
    "number-gap": number_gaps,
    "below-siblings": below_siblings,
}


def suspects(connection: Connection) -> Iterator[Suspect]:
    """All suspects of the crawl behind *connection*; none for crawls that are not made of layers.

    Costs about a microsecond a row; memory does not grow with the pictures but by eight bytes each.
    """
    site = Site.of(connection)
    if site is not None:
        for check in CHECKS.values():
            yield from check(site)
