"""What a crawl that was brought up to date found new, recovered, changed or gone, as far as a report shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from picspider.feeds.changes import counts, examples
from picspider.report.visible import without_password

if TYPE_CHECKING:
    from sqlalchemy import Connection

MOST_SHOWN = 100


@dataclass(frozen=True, slots=True)
class News:
    """`counts`: (what became of them, as the feed `changes` calls it; page or picture; how many); `rows`: (the same
    two, URL) of the first of each.
    """

    counts: tuple[tuple[str, str, int], ...]
    rows: tuple[tuple[str, str, str], ...]


def news_of(connection: Connection) -> News | None:
    """What differs from the last run; None after the first one."""
    found = counts(connection)
    if found is None:
        return None
    rows = examples(connection, MOST_SHOWN) if found else []
    return News(
        tuple((what, kind, count) for (what, kind), count in sorted(found.items())),
        tuple((what, kind, without_password(url)) for what, kind, url in rows),
    )
