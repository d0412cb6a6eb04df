"""What a learner answers."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    """An example that would decide between the expression learned and another possible one."""

    url: str
    if_yes: str
    if_no: str

    def __str__(self) -> str:
        return f"Does {self.url} belong to the layer? If so: {self.if_yes} If not: {self.if_no}"


@dataclass(frozen=True, slots=True)
class Learned:
    """An expression with what is known about it.

    `confidence` (0 to 1) is the estimated chance that it takes exactly the layer; `matched` and
    `rejected` are the given URLs sorted by it; `explanation` says in words what it takes.
    """

    regex: str
    confidence: float
    matched: tuple[str, ...]
    rejected: tuple[str, ...]
    questions: tuple[Question, ...]
    explanation: str
