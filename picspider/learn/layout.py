"""How the examples' URLs are laid out in columns, and the values of any URL in those columns."""

from dataclasses import dataclass
from itertools import combinations

from picspider.learn.align_segments import align_segments
from picspider.learn.host import host_candidates
from picspider.learn.pattern import Pattern, escape
from picspider.learn.prices import PRICES
from picspider.learn.segment import candidates
from picspider.learn.url_parts import Parts

Row = tuple[str | None, ...]


def _any_tail() -> Pattern:
    return Pattern("(?:[?#].*)?", 0.0, PRICES["tail_any"], "any query")


@dataclass(frozen=True, slots=True)
class Column:
    """One part of the layout; `before` and `after` surround the chosen expression."""

    name: str
    before: str
    after: str
    choices: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns in order: host, segments, trailing slash, parameters, tail."""

    columns: tuple[Column, ...]
    segments: int
    optional: tuple[int, ...]
    keys: tuple[str, ...] | None
    exact_keys: bool

    def rows(self, parts: Parts) -> list[Row]:
        """All ways in which this URL's parts fall into the columns; none when it cannot match."""
        query = self._query(parts)
        if query is None:
            return []
        missing = self.segments - len(parts.segments)
        slash = "/" if parts.slash else ""
        rows: list[Row] = []
        if 0 <= missing <= len(self.optional):
            for gaps in combinations(self.optional, missing):
                left = iter(parts.segments)
                cells = [None if i in gaps else next(left) for i in range(self.segments)]
                rows.append((parts.host, *cells, slash, *query))
        return rows

    def _query(self, parts: Parts) -> tuple[str | None, ...] | None:
        fragment = "" if parts.fragment is None else "#" + parts.fragment
        if self.keys is None:
            return (("" if parts.query is None else "?" + parts.query) + fragment,)
        if parts.query is None:
            return None
        pairs = parts.parameters
        if not self.exact_keys:
            first = dict(reversed(pairs))
            if any(first.get(key) is None for key in self.keys):
                return None
            return (*(first[key] for key in self.keys), fragment)
        if parts.keys[: len(self.keys)] != self.keys:
            return None
        values = tuple(value for _, value in pairs[: len(self.keys)])
        extra = "".join(f"&{key}" + ("" if value is None else f"={value}") for key, value in pairs[len(self.keys):])
        return (*values, extra + fragment)


def lay_out(examples: list[Parts]) -> Layout:
    """The layout of one kind of URL; segments present in some examples only are optional."""
    grid = align_segments([parts.segments for parts in examples])
    columns = [Column("host", "", "", tuple(host_candidates(tuple(p.host for p in examples))))]
    optional = []
    for index, cells in enumerate(zip(*grid, strict=True)):
        values = tuple(cell for cell in cells if cell is not None)
        gap = len(values) < len(cells)
        optional += [index] * gap
        columns.append(Column(f"segment {index + 1}", "(?:/" if gap else "/", ")?" if gap else "", tuple(candidates(values))))
    columns.append(Column("slash", "", "", _slashes(examples)))
    keys, exact = _keys(examples)
    columns += _parameters(examples, keys, exact)
    columns.append(Column("tail", "", "", _tails(examples, keys, exact)))
    return Layout(tuple(columns), len(grid[0]), tuple(optional), keys, exact)


def _slashes(examples: list[Parts]) -> tuple[Pattern, ...]:
    seen = {parts.slash for parts in examples}
    maybe = Pattern("/?", 0.0, PRICES["slash_maybe"], "a slash or none")
    if len(seen) == 2:
        return (maybe,)
    if seen == {True}:
        return Pattern("/", PRICES["slash_only"] / len(examples), 0.0, "a slash"), maybe
    return Pattern("", PRICES["slash_none"] / len(examples), 0.0, "no slash"), maybe


def _keys(examples: list[Parts]) -> tuple[tuple[str, ...] | None, bool]:
    """The required parameters, and whether they stand first, in this order, in all examples."""
    if any(parts.query is None for parts in examples):
        return None, False
    sequences = {parts.keys for parts in examples}
    if len(sequences) == 1:
        return sequences.pop(), True
    common = [key for key in examples[0].keys if all(dict(parts.parameters).get(key) for parts in examples)]
    return (tuple(common[:1]), False) if common else (None, False)


def _parameters(examples: list[Parts], keys: tuple[str, ...] | None, exact: bool) -> list[Column]:
    columns = []
    for index, key in enumerate(keys or ()):
        if exact:
            found = [parts.parameters[index][1] for parts in examples]
            before = r"\?" if index == 0 else "&"
        else:
            found = [dict(reversed(parts.parameters))[key] for parts in examples]
            before = rf"\?(?:(?!{escape(key)}=)[^&#]*&)*"
        values = tuple(value for value in found if value is not None)
        if not values:
            columns.append(Column(f"parameter {key}", before + escape(key), "", (Pattern("", 0.0, 0.0, "no value"),)))
            continue
        gap = len(values) < len(found)
        choices = tuple(Pattern(c.regex.replace("/?#", "&#"), c.miss, c.leak, c.words) for c in candidates(values))
        columns.append(Column(f"parameter {key}", before + escape(key) + ("(?:=" if gap else "="), ")?" if gap else "", choices))
    return columns


def _tails(examples: list[Parts], keys: tuple[str, ...] | None, exact: bool) -> tuple[Pattern, ...]:
    fragments = {parts.fragment for parts in examples}
    if keys is None:
        if all(parts.query is None and parts.fragment is None for parts in examples):
            return Pattern("", PRICES["tail_none_miss"] / len(examples), 0.0, "no query"), _any_tail()
        if len(fragments) == 1 and None not in fragments and all(parts.query is None for parts in examples):
            return Pattern("#" + escape(fragments.pop() or ""), 0.2, 0.0, "the same fragment"), Pattern("#.*", 0.0, 0.4, "a fragment")
        return (_any_tail(),)
    if not exact:
        return (Pattern("(?:[&#].*)?", 0.0, PRICES["extra"], "other parameters"),)
    if fragments == {None}:
        return Pattern("", 0.0, 0.0, "nothing else"), Pattern("(?:[&#].*)?", 0.0, PRICES["extra"], "other parameters")
    if len(fragments) == 1:
        return Pattern("#" + escape(fragments.pop() or ""), 0.2, 0.0, "the same fragment"), Pattern("#.*", 0.0, 0.4, "a fragment")
    return Pattern("(?:#.*)?", 0.0, 0.1, "any fragment"), Pattern("(?:[&#].*)?", 0.0, PRICES["extra"], "other parameters")
