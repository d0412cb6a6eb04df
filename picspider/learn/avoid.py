"""Words that a segment must not be: where only a few names keep the other layers apart."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from picspider.learn.column import Column
from picspider.learn.layout import Layout, Row
from picspider.learn.pattern import Pattern, alternatives, matcher

_MOST_WORDS = 6


def with_avoided_words(layout: Layout, rows: Sequence[Row], base: Sequence[Pattern]) -> Layout:
    """The layout with, for each segment, the candidate of `base` that refuses the offenders' words.

    `base` is the choice made without negatives; the offenders are the rows it lets through.
    """
    fits = [matcher(pattern.regex) for pattern in base]
    offenders = [row for row in rows if all(v is None or fit(v) for v, fit in zip(row, fits, strict=True))]
    if not offenders:
        return layout
    columns = list(layout.columns)
    for index in range(1, layout.path + 1):
        if layout.deep == index - 1:
            continue
        words = Counter(value for row in offenders if (value := row[index]) is not None)
        if (
            words
            and columns[index].values.isdisjoint(words)
            and len(words) <= _MOST_WORDS
            and all(_is_word(word) for word in words)
        ):
            columns[index] = _avoiding(columns[index], base[index], words)
    return replace(layout, columns=tuple(columns))


def _is_word(text: str) -> bool:
    return len(text) <= 20 and not any(character.isdecimal() for character in text)


def _avoiding(column: Column, base: Pattern, words: Counter[str]) -> Column:
    regex = f"(?!{alternatives(sorted(words))}(?:[/?#]|$)){base.regex}"
    amount = sum(1.0 / count for count in words.values())
    miss = (*base.miss, ("avoid", 1.0), ("avoided word", amount))
    pattern = Pattern(regex, miss, base.leak, f"{base.words}, but not {', '.join(sorted(words))}")
    return replace(column, choices=(*column.choices, pattern))
