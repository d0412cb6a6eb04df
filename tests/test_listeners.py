from __future__ import annotations

from importlib.metadata import version

from pydispatch import dispatcher
from scrapy.signalmanager import SignalManager

from picspider.listeners import Listeners

SIGNAL = object()


def test_version_of_the_table() -> None:
    """The table of connections was checked on this release."""
    assert version("PyDispatcher").startswith("2.0.")


def test_hears_every_kind_of_receiver() -> None:
    """A receiver of this sender, of any sender, or of any signal is heard, as long as it is connected."""

    def receiver(**_facts: object) -> None:
        return None

    manager = SignalManager(object())
    listeners = Listeners(manager.sender)
    assert not listeners.hear(SIGNAL)
    manager.connect(receiver, SIGNAL)
    assert listeners.hear(SIGNAL)
    assert not listeners.hear(object())
    manager.disconnect(receiver, SIGNAL)
    assert not listeners.hear(SIGNAL)
    for signal, sender in ((SIGNAL, dispatcher.Any), (dispatcher.Any, manager.sender)):
        dispatcher.connect(receiver, signal, sender)
        assert listeners.hear(SIGNAL)
        dispatcher.disconnect(receiver, signal, sender)
        assert not listeners.hear(SIGNAL)
