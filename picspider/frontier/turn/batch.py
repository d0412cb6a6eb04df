"""What a turn of the frontier is given, and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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

    def poured_out(self) -> Batch:
        """All that has gathered; nothing of it is left in this one."""
        poured = Batch(self.sightings, self.repeats, self.outcomes, self.aliases, self.give_back, self.lifts)
        self.sightings, self.repeats, self.give_back = [], [], []
        self.outcomes, self.aliases, self.lifts = {}, {}, {}
        return poured


@dataclass(frozen=True, slots=True)
class Want:
    """What to take out: at most `count` rows, none of `not_hosts`, only kinds that are wanted."""

    count: int
    not_hosts: tuple[str, ...] = ()
    pages: bool = True
    pictures: bool = True


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
