"""One thing that is wrong with a config, with its place, and the exception for what stops the reading at once."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """`place` is 'file:line' (or what the value came from); `key` dotted, empty for the file as a whole.

    `value` is shown, unless it is empty; it must hold no secret (see `messages.shown`).
    """

    place: str
    key: str
    what: str
    value: str = ""
    advice: str = ""


class Refused(Exception):
    """The config cannot be read any further; carries the one problem. Turned into ConfigError by `load_config`."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.what)
        self.problem = problem
