"""Questions that are asked again, of a real engine's errors."""

from __future__ import annotations

import pytest
from sqlalchemy import create_engine
from sqlalchemy.exc import IntegrityError, OperationalError

from picspider.frontier.store import patience
from picspider.frontier.store.patience import TRIES, answer_of

PASSING = OperationalError("SELECT", {}, Exception("gone"))


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits between the tries, in seconds; none is waited for."""
    waits: list[float] = []
    monkeypatch.setattr(patience.time, "sleep", waits.append)
    return waits


def asked(errors: list[Exception], connecting: list[Exception]) -> tuple[str, list[str]]:
    """What comes of a question that fails with *errors* first, and reconnects with *connecting*; what was done."""
    done: list[str] = []

    def ask() -> str:
        done.append("ask")
        if errors:
            raise errors.pop(0)
        return "answer"

    def reconnect() -> None:
        done.append("reconnect")
        if connecting:
            raise connecting.pop(0)

    return answer_of(create_engine("sqlite://"), ask, reconnect), done


def test_answer_at_once(waits: list[float]) -> None:
    """Nothing else is done."""
    assert asked([], []) == ("answer", ["ask"])
    assert waits == []


def test_asked_again_on_a_new_connection(waits: list[float]) -> None:
    """After each error one waits longer; a connection that cannot be made is a try, too, and nothing is asked then."""
    answer, done = asked([PASSING, PASSING], [PASSING])
    assert answer == "answer"
    assert done == ["ask", "reconnect", "reconnect", "ask", "reconnect", "ask"]
    assert waits == [0.4, 0.8, 1.6]


def test_store_that_stays_away(waits: list[float]) -> None:
    """The last error is raised, and an error that does not pass is so at once."""
    with pytest.raises(OperationalError):
        asked([PASSING] * TRIES, [])
    assert len(waits) == TRIES - 1
    with pytest.raises(IntegrityError):
        asked([IntegrityError("INSERT", {}, Exception("twice"))], [])
    assert len(waits) == TRIES - 1


def test_last_try(waits: list[float]) -> None:
    """It is made on a new connection, too, after all the waits."""
    answer, done = asked([PASSING] * (TRIES - 1), [])
    assert (answer, len(waits)) == ("answer", TRIES - 1)
    assert done == ["ask", *["reconnect", "ask"] * (TRIES - 1)]
