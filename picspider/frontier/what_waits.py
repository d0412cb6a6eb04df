"""What is known of the rows that wait in the table, without a look into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from picspider.frontier.hosts.other_hosts import OtherHosts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from picspider.frontier.turn.batch import Batch, Turned, Want


class WhatWaits:
    """`anything`: whether the table may have rows that wait. Told by all who write to it."""

    def __init__(self, *, shared: bool) -> None:
        self.anything = True
        self._others = OtherHosts(shared=shared)
        self._sighted_hosts: set[str] = set()

    def sighted(self, host: str) -> None:
        """A row of *host* comes into the table with the next turn."""
        self._sighted_hosts.add(host)

    def changed(self) -> None:
        """Rows of any host may have come to wait."""
        self.anything = True
        self._others.forget()

    def may_have_others(self, at_hand: Sequence[str]) -> bool:
        """Whether the next turn may find rows of other hosts than those *at_hand*."""
        if self._sighted_hosts.difference(at_hand):
            return True
        return self.anything and self._others.may_wait(at_hand)

    def turn_begins(self) -> None:
        """What was sighted is on its way."""
        self._sighted_hosts.clear()

    def turned(self, batch: Batch, want: Want, turned: Turned) -> None:
        """A turn has written *batch*, and looked for *want*."""
        if turned.reopened or batch.give_back:
            self.changed()
        elif turned.new:
            self.anything = True
            self._others.entered(sighting.host for sighting in batch.sightings)
        if want.count:
            exhausted = len(turned.rows) < want.count
            if want.not_hosts:
                self._others.looked(want.not_hosts, in_vain=exhausted)
            self.anything = not exhausted or bool(want.not_hosts)
