"""Heads and tails that all values of a column share, each with what is left of the values.

A head or tail begins or ends in a literal sign, so that it cannot share text with a wide middle.
"""

import re
from collections.abc import Iterator

from picspider.learn.pattern import Pattern, alternatives, escape
from picspider.learn.tokens import Values, common_end, common_start, literal_kind, tokens

_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z\d]{1,4}$")
_IMAGES = {"jpg", "jpeg", "png", "gif", "webp"}
_LEADING_NUMBER = re.compile(r"\d+([^\w%]|_)")
_TRAILING_NUMBER = re.compile(r"([^\w%]|_)\d+$")
NOTHING = Pattern("")


def heads(values: Values, doubt: float) -> Iterator[tuple[Pattern, Values]]:
    """Nothing, the common beginning, or a leading number."""
    yield NOTHING, values
    if len(set(values)) == 1:
        return
    start = common_start(values)
    if start:
        rest = tuple(value[len(start) :] for value in values)
        yield Pattern(escape(start), (("head " + literal_kind(start), doubt),), (("affix", 1.0),), f"“{start}”"), rest
        return
    leading = [found for value in values if (found := _LEADING_NUMBER.match(value))]
    separators = {found[1] for found in leading}
    if len(leading) == len(values) and len(separators) == 1:
        rest = tuple(value[found.end() :] for value, found in zip(values, leading, strict=True))
        separator = separators.pop()
        yield (
            Pattern(
                r"\d+" + escape(separator),
                (("leading number", doubt),),
                (("number", 1.0),),
                f"a number and “{separator}”",
            ),
            rest,
        )


def tails(values: Values, doubt: float) -> Iterator[tuple[Pattern, Values]]:
    """Nothing, the extension, the common end, or a trailing number."""
    yield NOTHING, values
    extension, stems = NOTHING, values
    ends = [found for value in values if (found := _EXTENSION.search(value))]
    if len(ends) == len(values):
        stems = tuple(value[: found.start()] for value, found in zip(values, ends, strict=True))
        endings = [*_extensions(sorted({found[0][1:] for found in ends}), doubt)]
        yield from ((ending, stems) for ending in endings)
        extension = endings[0]
    end = common_end(values) if len(set(values)) > 1 else ""
    if end and escape(end) != extension.regex:
        stem = end[: -len(ends[0][0])] if ends and end.endswith(ends[0][0]) else end
        yield (
            Pattern(escape(end), (("tail " + literal_kind(stem), doubt),), (("affix", 1.0),), f"“{end}”"),
            tuple(value[: -len(end)] for value in values),
        )
    yield from _numbered_tail(values, doubt)
    trailing = [found for stem in stems if (found := _TRAILING_NUMBER.search(stem))]
    separators = {found[1] for found in trailing}
    if len(trailing) == len(values) and len(separators) == 1:
        rest = tuple(stem[: found.start()] for stem, found in zip(stems, trailing, strict=True))
        separator = separators.pop()
        number = Pattern(
            escape(separator) + r"\d+", (("trailing number", doubt),), (("number", 1.0),), f"“{separator}” and a number"
        )
        yield number.joined(extension), rest


def _numbered_tail(values: Values, doubt: float) -> Iterator[tuple[Pattern, Values]]:
    """A common end in which only the numbers differ, such as `-p-123.html`."""
    rows = [tokens(value)[::-1] for value in values]
    end: list[str] = []
    for column in zip(*rows, strict=False):
        if len(set(column)) > 1 and not all(text.isdecimal() for text in column):
            break
        end.append(escape(column[0]) if len(set(column)) == 1 else r"\d+")
    # it starts with a sign, or the middle could share its digits
    while end and (end[-1][-1].isalnum() or end[-1] == r"\d+"):
        end.pop()
    if r"\d+" in end and any(token.isalpha() for token in end[end.index(r"\d+") :]):
        rest = tuple("".join(row[len(end) :][::-1]) for row in rows)
        yield (
            Pattern(
                "".join(reversed(end)), (("numbered tail", doubt),), (("number", 1.0),), "a common end with a number"
            ),
            rest,
        )


def _extensions(kinds: list[str], doubt: float) -> Iterator[Pattern]:
    """The ending seen; any picture's, when the one seen is of a picture; one of those seen."""
    pictures = _IMAGES.issuperset(kinds)
    if len(kinds) == 1:
        bets = ("one picture" if pictures else "extension", doubt)
        yield Pattern(r"\." + escape(kinds[0]), (bets,), (("extension", 1.0),), f"the ending .{kinds[0]}")
    if pictures:
        yield Pattern(r"\.(?:jpe?g|png|gif|webp)", (("pictures", doubt),), (("pictures", 1.0),), "a picture's ending")
    elif len(kinds) > 1:
        yield Pattern(r"\." + alternatives(kinds), (("extensions", doubt),), (("extension", 1.0),), "an ending")
