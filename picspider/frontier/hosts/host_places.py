"""The places of a host, shared among the workers of one crawl: over all of them never more than its limit.

Each worker has a line per host it wants: how many transfers it may have under way. A worker raises only its own line,
and only as far as the sum stays within the limit; nobody lowers another's. So the limit holds at every moment, whoever
is slow, and what a dead worker held is free once it is taken for dead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, insert, select

from picspider.frontier.store.workers import now_of
from picspider.schema import host_share, worker

if TYPE_CHECKING:
    from sqlalchemy import Connection

HOSTS_LOCK = 0x50494348  # an advisory lock: one worker at a time settles its places


@dataclass(frozen=True, slots=True)
class Use:
    """What a worker does with a host: it keeps `keep` places, and wants more up to `limit` if `wanted`.

    `alone`: the starts on this host are to be some time apart, so one worker at a time does all of them;
    `hold_seconds`: so long it wants to be left alone.
    """

    limit: int
    keep: int
    wanted: bool
    alone: bool = False
    hold_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Grant:
    """`places` are this worker's now; with more than `fair` it gives back as transfers end."""

    places: int
    fair: int
    hold_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Other:
    """Another worker at the same host."""

    name: str
    places: int
    held_until: float


def settle(connection: Connection, name: str, uses: Mapping[str, Use]) -> dict[str, Grant]:
    """Write down what the worker *name* keeps of each host, and take what is free and fair. Ends with its caller's
    transaction.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(HOSTS_LOCK)))
    connection.execute(host_share.delete().where(host_share.c.worker.not_in(select(worker.c.name))))
    others = _others(connection, name, list(uses))
    now = now_of(connection)
    grants = {host: _grant(name, use, others.get(host, []), now) for host, use in uses.items()}
    mine = (host_share.c.worker == name, host_share.c.host.in_(list(uses)))
    connection.execute(host_share.delete().where(*mine))
    lines = [
        {"host": host, "worker": name, "places": grants[host].places, "held_until": now + use.hold_seconds}
        for host, use in uses.items()
        if use.wanted or grants[host].places or use.hold_seconds
    ]
    if lines:
        connection.execute(insert(host_share), lines)
    return grants


def forget(connection: Connection, name: str) -> None:
    """The worker *name* has no transfers any more."""
    connection.execute(host_share.delete().where(host_share.c.worker == name))


def _others(connection: Connection, name: str, hosts: list[str]) -> dict[str, list[Other]]:
    found: dict[str, list[Other]] = {}
    query = select(host_share).where(host_share.c.host.in_(hosts), host_share.c.worker != name)
    for row in connection.execute(query):
        found.setdefault(row.host, []).append(Other(row.worker, row.places, row.held_until))
    return found


def _grant(name: str, use: Use, others: list[Other], now: float) -> Grant:
    hold = max((other.held_until - now for other in others), default=0.0)
    taken = sum(other.places for other in others)
    if not use.wanted:
        return Grant(use.keep, 0, max(0.0, hold))
    if use.alone:
        # Of two that hold it, as when a delay is set in mid-crawl, the first by name keeps it.
        fair = 0 if any(other.places and other.name < name for other in others) else use.limit
        more = fair if not taken else use.keep
    else:
        each, left = divmod(use.limit, len(others) + 1)
        fair = each + (sum(other.name < name for other in others) < left)
        more = min(fair, use.limit - taken)
    return Grant(max(use.keep, more), fair, max(0.0, hold))
