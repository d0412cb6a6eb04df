"""One turn of the frontier: sightings go in, outcomes are written, rows to fetch come out, in one transaction.

So no commit ever holds a page marked done without its links (*a page is done when its links are in the table*), and
whatever is killed between two turns is at most repeated, never lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from picspider.frontier.run.orphans import reopen_orphans
from picspider.frontier.store.waiting import set_waiting
from picspider.frontier.turn.batch import Turned
from picspider.frontier.turn.entering import enter, write_repeats
from picspider.frontier.turn.lifting import lift
from picspider.frontier.turn.outcomes import write_outcomes
from picspider.frontier.turn.taking import take

if TYPE_CHECKING:
    from picspider.frontier.store.store import Store
    from picspider.frontier.turn.batch import Batch, Want


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
            turned.reopened += reopen_orphans(connection, batch.outcomes)
        if batch.give_back:
            set_waiting(connection, batch.give_back)
        if want.count:
            turned.rows = take(store, connection, want)
            if turned.rows:
                store.presence.tell_busy(connection)
    return turned
