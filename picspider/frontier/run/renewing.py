"""Failures that are asked for again: as they are, or through a fresh copy of the page that linked them.

A picture whose address carries a token (`?sig=…`) that has expired cannot be had at that address any more. Its page
is read again first; the link that differs from the old one in nothing but the query takes its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import and_, bindparam, or_, select, update

from picspider.failures import PASSING_REASONS, PASSING_STATUSES
from picspider.frontier.store.waiting import portions, set_waiting, to_waiting
from picspider.schema import IS_ERROR, KindCode, node

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import Connection

EXPIRED_STATUSES = (401, 403, 404, 410)
EXPIRED_REASONS = ("http", "login-redirect", "not-a-picture")
# A failure with this message waits for its page; what it was told with before is void by then, either way.
RENEWING = "renewing"
AWAITS_PAGE = and_(IS_ERROR, node.c.message == RENEWING)


def mark_for_retry(connection: Connection, rows: Iterable[int]) -> None:
    """Have *rows* fetched again; those that may have expired wait for their page, which is fetched first."""
    chosen = list(rows)
    expired: list[int] = []
    parents: set[int] = set()
    facts = (node.c.id, node.c.url, node.c.kind, node.c.parent, node.c.status, node.c.reason)
    for portion in portions(chosen):
        for row in connection.execute(select(*facts).where(node.c.id.in_(portion))):
            if (
                row.kind == KindCode.picture.value
                and row.parent
                and "?" in row.url
                and row.reason in EXPIRED_REASONS
                and (row.reason != "http" or row.status in EXPIRED_STATUSES)
            ):
                expired.append(row.id)
                parents.add(row.parent)
    waits = set(expired)
    direct = [row for row in chosen if row not in waits]
    set_waiting(connection, [*direct, *parents])
    if expired:
        connection.execute(
            update(node).where(node.c.id == bindparam("row")).values(message=RENEWING),
            [{"row": row} for row in expired],
        )


def passing_failures(connection: Connection, since: float, before: float) -> list[int]:
    """Rows that failed between *since* and *before* (seconds since 1970) for a reason that may have passed by now."""
    query = select(node.c.id).where(
        IS_ERROR,
        node.c.time >= since,
        node.c.time < before,
        or_(
            node.c.reason.in_(PASSING_REASONS),
            and_(node.c.reason == "http", node.c.status.in_(PASSING_STATUSES)),
        ),
    )
    return list(connection.scalars(query))


def expired_below(connection: Connection, page: int) -> list[tuple[int, str]]:
    """(row, URL) of the pictures of *page* that wait for its fresh copy."""
    query = select(node.c.id, node.c.url).where(AWAITS_PAGE, node.c.parent == page)
    return [(row, url) for row, url in connection.execute(query)]


def give_up_renewing(connection: Connection) -> None:
    """At the end of a run: what still waits for its page had no luck."""
    told = "the address has expired, and its page gave no fresh one"
    connection.execute(update(node).where(AWAITS_PAGE).values(message=told))


def renew(connection: Connection, fresh: Sequence[tuple[int, str, int]]) -> list[int]:
    """Give rows their fresh URLs, as (row, URL, key), and have them fetched; returns which.

    A URL that is another row's by now stays that row's.
    """
    holders: dict[int, int] = {}
    for keys in portions([key for _, _, key in fresh]):
        held = connection.execute(select(node.c.key, node.c.id).where(node.c.key.in_(keys)))
        holders.update((one.key, one.id) for one in held)
    renewed = [(row, url, key) for row, url, key in fresh if holders.setdefault(key, row) == row]
    if renewed:
        connection.execute(
            to_waiting(node.c.id == bindparam("row")).values(url=bindparam("fresh_url"), key=bindparam("fresh_key")),
            [{"row": row, "fresh_url": url, "fresh_key": key} for row, url, key in renewed],
        )
    return [row for row, _, _ in renewed]
