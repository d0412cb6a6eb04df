"""Questions of many tasks to one thread."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Question = TypeVar("Question")
Answer = TypeVar("Answer")


class Gathered(Generic[Question, Answer]):
    """Answers questions by *answer*, which runs in a thread and gets all that have gathered since it ran last.

    So the loop never waits, and the busier it is the fewer hops to a thread and round trips a question costs.
    What *answer* raises is raised to all who asked.
    """

    def __init__(self, answer: Callable[[Sequence[Question]], Sequence[Answer]]) -> None:
        self._answer = answer
        self._waiting: list[tuple[Question, asyncio.Future[Answer]]] = []
        self._task: asyncio.Task[None] | None = None

    async def ask(self, question: Question) -> Answer:
        """The answer to *question*."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Answer] = loop.create_future()
        self._waiting.append((question, answer))
        if self._task is None:
            self._task = loop.create_task(self._run())
        return await answer

    async def _run(self) -> None:
        while self._waiting:
            asked, self._waiting = self._waiting, []
            try:
                answers = await asyncio.to_thread(self._answer, [question for question, _ in asked])
            except Exception as exc:  # noqa: BLE001 - it is for those who asked
                for _, future in asked:
                    if not future.done():
                        future.set_exception(exc)
            else:
                for (_, future), answer in zip(asked, answers, strict=True):
                    if not future.done():
                        future.set_result(answer)
        self._task = None
