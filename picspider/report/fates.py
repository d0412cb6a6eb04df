"""What became of a row, in one word: every row of the store has exactly one fate."""

from __future__ import annotations

from enum import IntEnum

from sqlalchemy import ColumnElement, Integer, case, literal

from picspider.schema import KindCode, State, node


class Fate(IntEnum):
    """The order is that of the legend; the numbers stand in the report's data."""

    waiting = 0
    running = 1
    page = 2
    picture = 3
    skip = 4
    failure = 5
    repeat = 6


def fate() -> ColumnElement[int]:
    """SQL for the fate of a row of `node`. A row that is done says in `reason` whether it was skipped or a repeat."""
    return case(
        (node.c.state == State.waiting.value, _number(Fate.waiting)),
        (node.c.state == State.running.value, _number(Fate.running)),
        (node.c.state == State.error.value, _number(Fate.failure)),
        (node.c.reason == "repeat", _number(Fate.repeat)),
        (node.c.reason.is_not(None), _number(Fate.skip)),
        (node.c.kind == KindCode.picture.value, _number(Fate.picture)),
        else_=_number(Fate.page),
    )


def _number(value: Fate) -> ColumnElement[int]:
    return literal(value.value, Integer)
