"""Candidate expressions for one column of values: a path segment, a parameter's value, a fragment.

A candidate is head + middle + tail, where only the middle may be wide and head and tail begin or
end in literals, so that one value can be read in one way only: no ambiguity, no backtracking.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from os.path import commonprefix

from picspider.learn.characters import runs
from picspider.learn.pattern import Pattern, alternatives, escape
from picspider.learn.prices import PRICES

Values = tuple[str, ...]

_TOKEN = re.compile(r"\d+|[^\W\d_]+|.", re.DOTALL)
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z\d]{1,4}$")
_IMAGES = {"jpg", "jpeg", "png", "gif", "webp"}
_LEADING_NUMBER = re.compile(r"\d+([^\w%]|_)")
_TRAILING_NUMBER = re.compile(r"([^\w%]|_)\d+$")
_MOST_WORDS = 8


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


def evidence(values: Values) -> float:
    """How much the distinct values say: one counts little, each further one less than the last."""
    return float(len(set(values)) ** PRICES["power"])


def _literal_cost(text: str, count: float) -> float:
    """The price of believing that a common affix is part of the layer's shape."""
    if text.isdigit():
        return PRICES["affix_digits"] / count
    letters = sum(character.isalpha() for character in text)
    return PRICES["affix_letters" if letters >= 3 else "affix_short" if letters else "affix_other"] / count


def _heads(values: Values, count: float) -> Iterator[tuple[Pattern, Values]]:
    yield Pattern("", 0.0, 0.0, ""), values
    if len(set(values)) == 1:
        return
    start = common_start(values)
    if start:
        rest = tuple(value[len(start):] for value in values)
        yield Pattern(escape(start), _literal_cost(start, count), PRICES["affix_leak"], f"“{start}”"), rest
    leading = [_LEADING_NUMBER.match(value) for value in values]
    separators = {found[1] for found in leading if found}
    if all(leading) and len(separators) == 1 and not start:
        rest = tuple(value[found.end():] for value, found in zip(values, leading, strict=True) if found)
        separator = separators.pop()
        yield Pattern(r"\d+" + escape(separator), PRICES["head_number"] / count, PRICES["number_leak"], f"a number and “{separator}”"), rest


def _tails(values: Values, count: float) -> Iterator[tuple[Pattern, Values]]:
    yield Pattern("", 0.0, 0.0, ""), values
    extension = Pattern("", 0.0, 0.0, "")
    stems = values
    ends = [_EXTENSION.search(value) for value in values]
    if all(ends):
        stems = tuple(value[:found.start()] for value, found in zip(values, ends, strict=True) if found)
        kinds = sorted({found[0][1:] for found in ends if found})
        for extension in _extensions(kinds, count):
            yield extension, stems
    end = common_end(values) if len(set(values)) > 1 else ""
    if end and end != extension.regex.replace("\\", ""):
        cost = _literal_cost(end, count)
        yield Pattern(escape(end), cost, PRICES["affix_leak"], f"“{end}”"), tuple(value[:-len(end)] for value in values)
    trailing = [_TRAILING_NUMBER.search(stem) for stem in stems]
    separators = {found[1] for found in trailing if found}
    if all(trailing) and len(separators) == 1:
        rest = tuple(stem[:found.start()] for stem, found in zip(stems, trailing, strict=True) if found)
        separator = separators.pop()
        regex = escape(separator) + r"\d+" + extension.regex
        yield Pattern(regex, extension.miss + PRICES["tail_number"] / count, extension.leak + PRICES["number_leak"], f"“{separator}” and a number"), rest


def _extensions(kinds: list[str], count: float) -> Iterator[Pattern]:
    if len(kinds) == 1:
        yield Pattern(r"\." + escape(kinds[0]), PRICES["extension"] / count, PRICES["extension_leak"], f"the ending .{kinds[0]}")
    elif _IMAGES.issuperset(kinds):
        yield Pattern(r"\.(?:jpe?g|png|gif|webp)", PRICES["images"] / count, PRICES["extension_leak"], "a picture's ending")
    else:
        yield Pattern(r"\." + alternatives(kinds), PRICES["extensions"] / count, 0.0, "an ending")


def affixed(values: Values) -> Iterator[Pattern]:
    """Head, middle and tail in every combination."""
    count = evidence(values)
    for head, after in _heads(values, count):
        for tail, middles in _tails(after, count):
            if not any(middles):
                if head.regex or tail.regex:
                    yield Pattern(head.regex + tail.regex, head.miss + tail.miss, head.leak + tail.leak, head.words + tail.words)
                continue
            for middle in _middles(middles, count):
                words = " ".join(w for w in (head.words, middle.words, tail.words) if w)
                yield Pattern(head.regex + middle.regex + tail.regex, 
                              head.miss + middle.miss + tail.miss, head.leak + middle.leak + tail.leak, words)


def _middles(values: Values, count: float) -> Iterator[Pattern]:
    yield from runs(values, count)
    if all(values):
        yield from _slugs(values, count)
        if all(any(c.isdigit() for c in value) for value in values):
            yield Pattern(r"[^/?#\d]*\d[^/?#]*", PRICES["has_digit"] / count, PRICES["has_digit_leak"], "something with a digit")
            least = min(len(found[0]) for value in values if (found := re.search(r"\d+", value)))
            if least > 2:
                regex = rf"[^/?#\d]*\d{{{least - 1},}}[^/?#]*"
                yield Pattern(regex, PRICES["long_number"] / count, PRICES["long_number_leak"], f"something with a number of {least - 1} digits or more")


def _slugs(values: Values, count: float) -> Iterator[Pattern]:
    """Words joined by at least so many hyphens (or underscores, or plus signs)."""
    for separator in "-_+":
        least = min(value.count(separator) for value in values)
        word = rf"[^/?#{separator}]"
        for number in sorted({1, 2, least - 1, least} & set(range(1, least + 1))):
            times = "+" if number == 1 else f"{{{number},}}"
            price = PRICES["slug_one" if number == 1 else "slug_some" if number < least else "slug_all"] / count
            leak = PRICES["slug_leak"] - PRICES["slug_step"] * min(number, 6)
            yield Pattern(f"{word}*(?:{escape(separator)}{word}*){times}", price, leak,
                          f"words with at least {number} “{separator}”")


def constant(values: Values) -> Iterator[Pattern]:
    """The same text in all examples."""
    if len(set(values)) == 1:
        text, count = values[0], len(values)
        mixed = any(c.isdigit() for c in text)
        price = PRICES["constant_digits" if text.isdigit() else "constant_mixed" if mixed else "constant_word"]
        yield Pattern(escape(text), price / count ** PRICES["power"], 0.0, f"“{text}”")


def listed(values: Values) -> Iterator[Pattern]:
    """Exactly the texts seen, when they are few."""
    words = sorted(set(values))
    if 1 < len(words) <= _MOST_WORDS:
        repeated = len(values) - len(words)
        yield Pattern(alternatives(words), max(PRICES["listed_least"], PRICES["listed"] - PRICES["listed_repeat"] * repeated), 0.0, "one of the texts seen")


def templated(values: Values) -> Iterator[Pattern]:
    """The same sequence of tokens in all examples: each token literal, digits or letters."""
    rows = [tokens(value) for value in values]
    if len({len(row) for row in rows}) != 1 or len(rows[0]) > 12 or len(set(values)) == 1:
        return
    count, cost, parts, varying = evidence(values), 0.0, [], 0
    for column in zip(*rows, strict=True):
        if len(set(column)) == 1:
            parts.append(escape(column[0]))
            cost += _literal_cost(column[0], count) * PRICES["template_literal"]
        elif all(text.isdigit() for text in column):
            varying += 1
            parts.append(r"\d+")
            cost += PRICES["template_digits"] / count
        elif all(text.isalpha() for text in column):
            varying += 1
            parts.append(_letters(column))
            cost += PRICES["template_letters"] / count
        else:
            return
    if varying > 1:
        yield Pattern("".join(parts), cost, PRICES["template_leak"], "parts of one make")


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


def candidates(values: Values, weight: str = "inner_constant") -> list[Pattern]:
    """All candidates for a column; every one matches every value.

    `weight` names the price factor of believing a constant in this place.
    """
    same = len(set(values)) == 1
    factor, extra = (PRICES[weight], PRICES["constant_any"]) if same else (1.0, 0.0)
    best: dict[str, Pattern] = {}
    for name, family in FAMILIES.items():
        for pattern in family(values):
            if name == "constant":
                pattern = replace(pattern, miss=pattern.miss * factor)
            elif same:
                pattern = replace(pattern, leak=pattern.leak + extra)
            known = best.get(pattern.regex)
            if known is None or pattern.miss + pattern.leak < known.miss + known.leak:
                best[pattern.regex] = pattern
    return list(best.values())
