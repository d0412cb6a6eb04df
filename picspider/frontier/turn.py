"""One turn of the frontier: sightings go in, outcomes are written, rows to fetch come out, in one transaction.

So no commit ever holds a page marked done without its links (*a page is done when its links are in the table*), and
whatever is killed between two turns is at most repeated, never lost.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from picspider.frontier.entering import enter, write_repeats
from picspider.frontier.lifting import lift
from picspider.frontier.outcomes import write_outcomes
from picspider.frontier.taking import Want, take
from picspider.frontier.waiting import set_waiting

if TYPE_CHECKING:
    from picspider.frontier.store import Store
    from picspider.records import Outcome, Row, Sighting


@dataclass(slots=True)
class Batch:
    """What has gathered in memory since the last turn.

    `repeats` are sightings already known by the cache, each with the row it repeats; `aliases` where redirects of
    pages ended, as key → row; `give_back` are rows that are not fetched after all; `lifts` are rows that
    are worth more now, as row → priority.
    """

    sightings: list[Sighting] = field(default_factory=list)
    repeats: list[tuple[int, Sighting]] = field(default_factory=list)
    outcomes: dict[int, Outcome] = field(default_factory=dict)
    aliases: dict[int, int] = field(default_factory=dict)
    give_back: list[int] = field(default_factory=list)
    lifts: dict[int, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.sightings or self.repeats or self.outcomes or self.give_back or self.lifts)


@dataclass(slots=True)
class Turned:
    """What a turn did.

    `rows` are to be fetched; `known` is what is known of sightings now, as token → (row, its parent); the rest counts
    those that were new, were repeats, or opened a row again.
    """

    rows: list[Row] = field(default_factory=list)
    known: dict[str, tuple[int, int]] = field(default_factory=dict)
    new: int = 0
    repeats: int = 0
    reopened: int = 0


def turn(store: Store, batch: Batch, want: Want) -> Turned:
    """Write *batch* and take *want* in one transaction of *store*. Raises one of its `errors` as the database does."""
    turned = Turned()
    with store.transaction() as connection:
        if batch.sightings:
            enter(store, connection, batch.sightings, turned)
        if batch.repeats:
            write_repeats(connection, batch.repeats)
            turned.repeats += len(batch.repeats)
        if batch.lifts:
            lift(connection, batch.lifts)
        if batch.outcomes:
            write_outcomes(store, connection, batch.outcomes, batch.aliases)
        if batch.give_back:
            set_waiting(connection, batch.give_back)
        if want.count:
            turned.rows = take(store, connection, want)
            if turned.rows:
                store.tell_busy(connection)
    return turned
