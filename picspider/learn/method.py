"""What one method of learning hands back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from picspider.learn.learned import Question


@dataclass(frozen=True, slots=True)
class Finding:
    """An expression, the method's confidence in it (0 to 1), the expression in words, its questions.

    The questions take longer than the expression, so they are made on demand.
    """

    regex: str
    confidence: float
    explanation: str
    questions: Callable[[], Sequence[Question]] = tuple


Method = Callable[[Sequence[str], Sequence[str], Sequence[str]], Finding]
