"""Questions that gather while a thread answers others."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import pytest

from picspider.frontier.turn.gathered import Gathered


def test_questions_gather_while_others_are_answered() -> None:
    """The first question goes alone; those that come meanwhile go together, and each gets its own answer."""
    batches: list[list[int]] = []
    go_on = threading.Event()

    def double(numbers: Sequence[int]) -> list[int]:
        batches.append(list(numbers))
        assert go_on.wait(10)
        return [2 * number for number in numbers]

    async def ask() -> list[int]:
        gathered = Gathered(double)
        tasks = [asyncio.create_task(gathered.ask(1))]
        while not batches:  # noqa: ASYNC110 - the thread tells by the list
            await asyncio.sleep(0.01)
        tasks += [asyncio.create_task(gathered.ask(number)) for number in (2, 3, 4)]
        await asyncio.sleep(0)
        go_on.set()
        return await asyncio.gather(*tasks)

    assert asyncio.run(ask()) == [2, 4, 6, 8]
    assert batches == [[1], [2, 3, 4]]


def test_failure_is_raised_to_all_who_asked() -> None:
    """The next question is asked as if nothing had been."""
    fails = True

    def answer(questions: Sequence[str]) -> Sequence[str]:
        if fails:
            raise OSError("gone")
        return questions

    async def ask() -> list[str | BaseException]:
        nonlocal fails
        gathered = Gathered(answer)
        failed = await asyncio.gather(gathered.ask("a"), gathered.ask("b"), return_exceptions=True)
        fails = False
        return [*failed, await gathered.ask("c")]

    first, second, third = asyncio.run(ask())
    assert isinstance(first, OSError)
    assert isinstance(second, OSError)
    assert third == "c"


def test_one_who_asked_may_go_away() -> None:
    """A task that is cancelled does not keep the others from their answers."""

    async def ask() -> int:
        gathered = Gathered(lambda numbers: numbers)
        impatient = asyncio.create_task(gathered.ask(1))
        patient = asyncio.create_task(gathered.ask(2))
        await asyncio.sleep(0)
        impatient.cancel()
        with pytest.raises(asyncio.CancelledError):
            await impatient
        return await patient

    assert asyncio.run(ask()) == 2
