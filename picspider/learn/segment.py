"""Candidate expressions for one column of values: a path segment, a parameter's value, a fragment.

A candidate is head + middle + tail, where only the middle may be wide and head and tail begin or
end in literals, so that one value can be read in one way only: no ambiguity, no backtracking.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from picspider.learn.characters import runs
from picspider.learn.pattern import Pattern, alternatives, escape
from picspider.learn.prices import doubt_after

Values = tuple[str, ...]

_TOKEN = re.compile(r"\d+|[^\W\d_]+|.", re.DOTALL)
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z\d]{1,4}$")
_IMAGES = {"jpg", "jpeg", "png", "gif", "webp"}
_LEADING_NUMBER = re.compile(r"\d+([^\w%]|_)")
_TRAILING_NUMBER = re.compile(r"([^\w%]|_)\d+$")
_MOST_WORDS = 8
_NOTHING = Pattern("")


def tokens(value: str) -> tuple[str, ...]:
    """Cut a value into runs of digits, runs of letters and single other characters."""
    return tuple(_TOKEN.findall(value))


def common_start(values: Values) -> str:
    """The longest common beginning that does not cut a run of letters or digits."""
    start: list[str] = []
    for column in zip(*map(tokens, values), strict=False):
        if len(set(column)) > 1:
            break
        start.append(column[0])
    return "".join(start)


def common_end(values: Values) -> str:
    """The longest common end that does not cut a run of letters or digits."""
    return common_start(tuple(value[::-1] for value in values))[::-1]


def _doubt(values: Values) -> float:
    return doubt_after(len(set(values)))


def _literal_kind(text: str) -> str:
    if any(character.isdecimal() for character in text):
        return "digits"
    letters = sum(character.isalpha() for character in text)
    return "word" if letters >= 3 else "letters" if letters else "signs"


def _heads(values: Values, doubt: float) -> Iterator[tuple[Pattern, Values]]:
    yield _NOTHING, values
    if len(set(values)) == 1:
        return
    start = common_start(values)
    if start:
        rest = tuple(value[len(start) :] for value in values)
        yield Pattern(escape(start), (("head " + _literal_kind(start), doubt),), (("affix", 1.0),), f"“{start}”"), rest
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


def _tails(values: Values, doubt: float) -> Iterator[tuple[Pattern, Values]]:
    yield _NOTHING, values
    extension, stems = _NOTHING, values
    ends = [found for value in values if (found := _EXTENSION.search(value))]
    if len(ends) == len(values):
        stems = tuple(value[: found.start()] for value, found in zip(values, ends, strict=True))
        extension = _extension(sorted({found[0][1:] for found in ends}), doubt)
        yield extension, stems
    end = common_end(values) if len(set(values)) > 1 else ""
    if end and escape(end) != extension.regex:
        stem = end[: -len(ends[0][0])] if ends and end.endswith(ends[0][0]) else end
        yield (
            Pattern(escape(end), (("tail " + _literal_kind(stem), doubt),), (("affix", 1.0),), f"“{end}”"),
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
    while end and end[-1][-1].isalnum() or end and end[-1] == r"\d+":
        end.pop()
    if r"\d+" in end and any(token.isalpha() for token in end[end.index(r"\d+") :]):
        rest = tuple("".join(row[len(end) :][::-1]) for row in rows)
        yield (
            Pattern(
                "".join(reversed(end)), (("numbered tail", doubt),), (("number", 1.0),), "a common end with a number"
            ),
            rest,
        )


def _extension(kinds: list[str], doubt: float) -> Pattern:
    if len(kinds) == 1:
        return Pattern(
            r"\." + escape(kinds[0]), (("extension", doubt),), (("extension", 1.0),), f"the ending .{kinds[0]}"
        )
    if _IMAGES.issuperset(kinds):
        return Pattern(r"\.(?:jpe?g|png|gif|webp)", (("pictures", doubt),), (("extension", 1.0),), "a picture's ending")
    return Pattern(r"\." + alternatives(kinds), (("extensions", doubt),), (("extension", 1.0),), "an ending")


def affixed(values: Values) -> Iterator[Pattern]:
    """Head, middle and tail in every combination."""
    doubt = _doubt(values)
    for head, after in _heads(values, doubt):
        for tail, middles in _tails(after, doubt):
            if any(middles):
                for middle in _middles(middles, doubt):
                    yield head.joined(middle).joined(tail)
            elif head.regex or tail.regex:
                yield head.joined(tail)


def _middles(values: Values, doubt: float) -> Iterator[Pattern]:
    yield from runs(values, doubt)
    if not all(values):
        return
    yield from _slugs(values, doubt)
    numbers = [found[0] for value in values if (found := re.search(r"\d+", value))]
    if len(numbers) == len(values):
        yield Pattern(r"[^/?#\d]*\d[^/?#]*", (("has digit", doubt),), (("has digit", 1.0),), "something with a digit")
        least = min(map(len, numbers)) - 1
        if least > 1:
            yield Pattern(
                rf"[^/?#\d]*\d{{{least},}}[^/?#]*",
                (("long number", doubt),),
                (("long number", 1.0),),
                f"something with a number of {least} digits or more",
            )


def _slugs(values: Values, doubt: float) -> Iterator[Pattern]:
    """Words joined by at least so many hyphens (or underscores, or plus signs)."""
    for separator in "-_+":
        least = min(value.count(separator) for value in values)
        word = rf"[^/?#{separator}]"
        for number in sorted({1, 2, least - 1, least} & set(range(1, least + 1))):
            times = "+" if number == 1 else f"{{{number},}}"
            name = "slug" if number == 1 else "slug, roughly" if number < least else "slug, all"
            yield Pattern(
                f"{word}*(?:{escape(separator)}{word}*){times}",
                ((name, doubt),),
                (("slug", 1.0), ("slug joint", min(number, 6) - 1.0)),
                f"words with at least {number} “{separator}”",
            )


def constant(values: Values) -> Iterator[Pattern]:
    """The same text in all examples."""
    if len(set(values)) == 1:
        text = values[0]
        digits = sum(character.isdecimal() for character in text)
        kind = "word" if not digits else "mixed" if digits < len(text) else "number" if digits < 5 else "long number"
        yield Pattern(escape(text), ((f"constant {kind}", doubt_after(len(values))),), (), f"“{text}”")


def listed(values: Values) -> Iterator[Pattern]:
    """Exactly the texts seen, when they are few."""
    words = sorted(set(values))
    if 1 < len(words) <= _MOST_WORDS:
        name = "listed" if len(words) == len(values) else "listed, some twice"
        yield Pattern(alternatives(words), ((name, 1.0 / (1 + len(values) - len(words))),), (), "one of the texts seen")


def templated(values: Values) -> Iterator[Pattern]:
    """The same sequence of tokens in all examples: each token literal, digits or letters."""
    rows = [tokens(value) for value in values]
    if len({len(row) for row in rows}) != 1 or len(rows[0]) > 12:
        return
    doubt, whole = _doubt(values), Pattern("", (), (("template", 1.0),))
    columns = [tuple(column) for column in zip(*rows, strict=True)]
    if sum(len(set(column)) > 1 for column in columns) < 2:
        return
    for column in columns:
        if len(set(column)) == 1:
            whole = whole.joined(Pattern(escape(column[0]), (("template " + _literal_kind(column[0]), doubt),)))
        elif all(text.isdecimal() for text in column):
            whole = whole.joined(Pattern(r"\d+", (("template number", doubt),)))
        elif all(text.isalpha() for text in column):
            whole = whole.joined(Pattern(_letters(column), (("template letters run", doubt),)))
        else:
            return
    yield replace(whole, words="parts of one make")


def _letters(texts: Values) -> str:
    """The narrowest class of letters only."""
    for regex in (r"[a-z]+", r"[A-Z]+", r"[a-zA-Z]+"):
        if all(re.fullmatch(regex, text) for text in texts):
            return regex
    return r"[^\W\d_]+"


FAMILIES: dict[str, Callable[[Values], Iterator[Pattern]]] = {
    "constant": constant,
    "listed": listed,
    "templated": templated,
    "affixed": affixed,
}


def candidates(values: Values, place: str = "inner") -> list[Pattern]:
    """All candidates for a column; every one matches every value. `place` names where it stands."""
    same = len(set(values)) == 1
    found = []
    for name, family in FAMILIES.items():
        for pattern in family(values):
            if name == "constant":
                pattern = replace(pattern, miss=(*pattern.miss, (f"constant {place}", doubt_after(len(values)))))
            elif same:
                pattern = replace(pattern, leak=(*pattern.leak, ("constant opened", 1.0)))
            found.append(pattern)
    return found
