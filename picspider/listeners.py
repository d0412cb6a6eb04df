"""Whether anybody listens to a signal: sending to nobody costs more than the rest of the downloader."""

from __future__ import annotations

from pydispatch import dispatcher  # type: ignore[import-untyped]  # has no stubs


class Listeners:
    """Asks PyDispatcher's table of connections, in a fraction of the time of a send to nobody.

    `dispatcher.connections` maps id(sender) to {signal: receivers}; a receiver may also be connected to
    any sender or any signal. Checked on PyDispatcher 2.0.7.
    """

    def __init__(self, sender: object) -> None:
        self._senders = (id(sender), id(dispatcher.Any))

    def hear(self, signal: object) -> bool:
        """Whether a receiver is connected to *signal*."""
        for sender in self._senders:
            table = dispatcher.connections.get(sender)
            if table and (signal in table or dispatcher.Any in table):
                return True
        return False
