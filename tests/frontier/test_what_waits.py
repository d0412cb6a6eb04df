"""When a look into the table is worth a turn."""

from __future__ import annotations

from picspider.frontier.turn.batch import Batch, Turned, Want
from picspider.frontier.what_waits import WhatWaits
from picspider.records import Row, Sighting

A = Sighting("http://a/1", 1, "a:80", 1, 1, "page", 0, 0, 0, "", 0, 0)
ROW = Row(1, "http://a/1", "a:80", 1, 1, "page", 0, None, 0, 1, "", None)


def emptied(beside: tuple[str, ...] = ()) -> WhatWaits:
    """After a turn that found less than it wanted, of any host or of others than those *beside*."""
    waits = WhatWaits(shared=False)
    waits.turned(Batch(), Want(2, beside), Turned(rows=[ROW]))
    return waits


def test_empty_table_is_not_asked_again() -> None:
    """After a turn that took all that waited nothing waits, until something has come."""
    assert WhatWaits(shared=False).may_have_others([])
    waits = emptied()
    assert not waits.anything
    assert not waits.may_have_others([])
    waits.turned(Batch(sightings=[A]), Want(0), Turned(new=1))
    assert waits.anything
    waits = emptied()
    waits.turned(Batch(give_back=[1]), Want(0), Turned())
    assert waits.anything
    waits = emptied()
    waits.turned(Batch(), Want(0), Turned(reopened=1))
    assert waits.anything
    waits = emptied()
    waits.changed()
    assert waits.anything


def test_turn_that_got_all_it_wanted_leaves_the_rest() -> None:
    """Then more may wait."""
    waits = WhatWaits(shared=False)
    waits.turned(Batch(), Want(1), Turned(rows=[ROW]))
    assert waits.anything
    waits.turned(Batch(), Want(0), Turned())
    assert waits.anything, "this one wanted nothing"


def test_hosts_that_were_looked_beside() -> None:
    """Rows of theirs may wait after a look for others in vain; those others not, until one is on its way or came."""
    waits = emptied(("b:80",))
    assert waits.anything
    assert not waits.may_have_others(["b:80"])
    waits.sighted("b:80")
    assert not waits.may_have_others(["b:80"])
    waits.sighted("a:80")
    assert waits.may_have_others(["b:80"])
    waits.turn_begins()
    assert not waits.may_have_others(["b:80"])
    waits.turned(Batch(sightings=[A]), Want(0), Turned(new=1))
    assert waits.may_have_others(["b:80"])


def test_rows_that_come_back_may_be_of_any_host() -> None:
    """Given back, opened again by a turn, or changed from outside."""
    for come_back in (
        lambda waits: waits.turned(Batch(give_back=[1]), Want(0), Turned()),
        lambda waits: waits.turned(Batch(sightings=[A._replace(host="b:80")]), Want(0), Turned(new=1, reopened=1)),
        lambda waits: waits.changed(),
    ):
        waits = emptied(("b:80",))
        come_back(waits)
        assert waits.may_have_others(["b:80"])
