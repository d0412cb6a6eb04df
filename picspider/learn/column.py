"""One column of a layout: a part of the URL with the candidates for its expression."""

from dataclasses import dataclass, field

from picspider.learn.pattern import Pattern


@dataclass(frozen=True, slots=True)
class Column:
    """`before` and `after` surround the chosen expression; `values` are those of the examples."""

    name: str
    choices: tuple[Pattern, ...]
    before: str = ""
    after: str = ""
    values: frozenset[str] = field(default_factory=frozenset)
