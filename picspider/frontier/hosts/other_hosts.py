"""Whether the table has rows of other hosts than those whose rows wait in memory already."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LOOK_AGAIN_SECONDS = 2.0


class OtherHosts:
    """What was learnt by looking for rows beside those of some hosts: a look in vain walks over all that waits.

    On a shared store it is forgotten after a while, as other workers enter rows, too.
    """

    def __init__(self, *, shared: bool) -> None:
        self._shared = shared
        self._only: frozenset[str] | None = None  # all that waits in the table is of these
        self._until = 0.0

    def may_wait(self, at_hand: Iterable[str]) -> bool:
        """Whether a look beside the hosts *at_hand* may find something."""
        if self._only is None or (self._shared and monotonic() > self._until):
            return True
        return not self._only.issubset(at_hand)

    def looked(self, beside: Iterable[str], *, in_vain: bool) -> None:
        """There are no rows but those of the hosts *beside*, if the look was *in_vain*."""
        self._only = frozenset(beside) if in_vain else None
        self._until = monotonic() + LOOK_AGAIN_SECONDS

    def entered(self, hosts: Iterable[str]) -> None:
        """Rows of *hosts* have come into the table."""
        if self._only is not None and not self._only.issuperset(hosts):
            self._only = None

    def forget(self) -> None:
        """Anything may wait there now."""
        self._only = None
