"""What the person at the live page has marked for retry, and the retry itself: `picspider retry` as a process."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections import deque
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from picspider.report.visible import visible

TAIL_LINES = 40
PATIENCE_SECONDS = 30.0

Kind = Literal["node", "reason"]


@dataclass(frozen=True, slots=True)
class Mark:
    """`value`: the reason; or the id of a row, which stands for everything below it too; `url` is that row's."""

    kind: Kind
    value: str
    url: str = ""


class Retries:
    """Marks, and at most one retry at a time."""

    def __init__(self, output: Path) -> None:
        self._output = output
        self.marks: list[Mark] = []
        self._task: asyncio.Task[None] | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._code: int | None = None
        self._tail: deque[str] = deque(maxlen=TAIL_LINES)

    @property
    def running(self) -> bool:
        """Whether a retry is under way."""
        return self._task is not None and not self._task.done()

    def mark(self, mark: Mark, *, on: bool) -> None:
        """Set or take off a mark."""
        self.marks = [other for other in self.marks if (other.kind, other.value) != (mark.kind, mark.value)]
        if on:
            self.marks.append(mark)

    def clear(self) -> None:
        """Take off all marks."""
        self.marks = []

    def start(self) -> bool:
        """Start the retry of all that is marked; False when there is nothing to do or one is under way."""
        if self.running or not self.marks:
            return False
        commands, self.marks = list(commands_for(self._output, self.marks)), []
        self._code = None
        self._tail.clear()
        self._task = asyncio.get_running_loop().create_task(self._run(commands))
        return True

    def to_dict(self) -> dict[str, Any]:
        """For JSON: `code` is the last exit code that was not 0, else 0."""
        job = {"running": self.running, "code": self._code, "tail": "\n".join(self._tail)} if self._task else None
        return {"marks": [asdict(mark) for mark in self.marks], "job": job}

    async def close(self) -> None:
        """Have a retry under way stop cleanly."""
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(signal.SIGINT)
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=PATIENCE_SECONDS)

    async def _run(self, commands: list[list[str]]) -> None:
        code = 0
        for command in commands:
            self._process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=True,
            )
            assert self._process.stdout is not None
            while line := await _line_of(self._process.stdout):
                self._tail.append(visible(line.decode("utf-8", "replace").rstrip()))
            code = await self._process.wait() or code
            self._code = code
            if code == 1:
                break


async def _line_of(stream: asyncio.StreamReader) -> bytes:
    try:
        return await stream.readline()
    except ValueError:  # a line longer than the buffer
        return await stream.read(1000)


def commands_for(output: Path, marks: list[Mark]) -> list[list[str]]:
    """The commands that retry *marks*: one for all reasons, one for each row."""
    retry = [sys.executable, "-m", "picspider", "retry", str(output)]
    reasons = [part for mark in marks if mark.kind == "reason" for part in ("--reason", mark.value)]
    commands = [[*retry, *reasons]] if reasons else []
    return commands + [[*retry, "--under", mark.url] for mark in marks if mark.kind == "node"]
