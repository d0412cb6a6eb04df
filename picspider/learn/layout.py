"""How the examples' URLs are laid out in columns, and the values of any URL in those columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from picspider.learn.align_segments import Cells, align_segments
from picspider.learn.column import Column
from picspider.learn.endings import Required, parameter_columns, required, slash_column, tail_column
from picspider.learn.host import host_candidates
from picspider.learn.pattern import Pattern
from picspider.learn.prices import doubt_after
from picspider.learn.segment import candidates
from picspider.learn.url_parts import Parts

Row = tuple[str | None, ...]

# each optional segment doubles the ways to read a path; beyond this only a part of any depth is tried
_MOST_OPTIONAL = 4


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns in order: host, path, trailing slash, parameters, tail.

    `path` is the number of path columns, `optional` those a URL may lack; `deep` is the one that
    takes any number of segments, if there is one.
    """

    columns: tuple[Column, ...]
    path: int
    optional: tuple[int, ...]
    deep: int | None
    needed: Required | None

    def rows(self, parts: Parts) -> list[Row]:
        """All ways in which this URL's parts fall into the columns; none when it cannot match."""
        query = self._query(parts)
        if query is None:
            return []
        slash = "/" if parts.slash else ""
        return [(parts.host, *cells, slash, *query) for cells in self._cells(parts.segments)]

    def _cells(self, segments: tuple[str, ...]) -> list[Cells]:
        missing = self.path - len(segments)
        if self.deep is not None:
            after = len(segments) - (self.path - 1 - self.deep)
            if after < self.deep:
                return []
            middle = "".join("/" + segment for segment in segments[self.deep : after])
            return [[*segments[: self.deep], middle, *segments[after:]]]
        if not 0 <= missing <= len(self.optional):
            return []
        grids = []
        for gaps in combinations(self.optional, missing):
            left = iter(segments)
            grids.append([None if index in gaps else next(left) for index in range(self.path)])
        return grids

    def _query(self, parts: Parts) -> tuple[str | None, ...] | None:
        fragment = "" if parts.fragment is None else "#" + parts.fragment
        if self.needed is None:
            return (("" if parts.query is None else "?" + parts.query) + fragment,)
        keys, pairs = self.needed.keys, parts.parameters
        if not self.needed.exact:
            first = dict(reversed(pairs))
            if any(first.get(key) is None for key in keys):
                return None
            return (*(first[key] for key in keys), fragment)
        if parts.query is None or parts.keys[: len(keys)] != keys:
            return None
        extra = "".join(f"&{key}" + ("" if value is None else f"={value}") for key, value in pairs[len(keys) :])
        return (*(value for _, value in pairs[: len(keys)]), extra + fragment)


def layouts(examples: list[Parts]) -> list[Layout]:
    """The layouts that hold all examples: with optional segments, and with a part of any depth."""
    grid = align_segments([parts.segments for parts in examples])
    cells = [tuple(column) for column in zip(*grid, strict=True)]
    optional = tuple(index for index, column in enumerate(cells) if None in column)
    found = []
    if len(optional) <= _MOST_OPTIONAL:
        found.append(_layout(examples, _segments(cells), optional, None))
    if not optional:
        found += list(_unseen_depths(examples, cells))
    else:
        before, after = _fixed_ends(cells)
        paths = [parts.segments for parts in examples]
        columns = [_segment(i, tuple(path[i] for path in paths), last=False) for i in range(before)]
        columns.append(_deep([path[before : len(path) - after] for path in paths]))
        columns += [_segment(i, tuple(path[i] for path in paths), last=i == -1) for i in range(-after, 0)]
        found.append(_layout(examples, columns, (), before))
    return found


def _unseen_depths(examples: list[Parts], cells: list[tuple[str | None, ...]]) -> Iterator[Layout]:
    """Layouts for more or fewer segments than in all examples, before one that a number gives away."""
    columns = _segments(cells)
    start = next((index for index, column in enumerate(cells) if len(set(column)) > 1), len(cells))
    for index in range(len(cells) - 1, max(len(cells) - 3, start - 1), -1):
        numbered = tuple(pattern for pattern in columns[index].choices if r"\d+" in pattern.regex)
        if numbered and len(set(cells[index])) > 1:
            deep = Column("segments", (Pattern("(?:/[^/?#]+)*", (), (("deep, unseen", 1.0),), "any segments"),))
            path = [*columns[:start], deep, replace(columns[index], choices=numbered), *columns[index + 1 :]]
            yield _layout(examples, path, (), start)


def _layout(examples: list[Parts], path: list[Column], optional: tuple[int, ...], deep: int | None) -> Layout:
    needed = required(examples)
    columns = (
        Column("host", tuple(host_candidates(tuple(parts.host for parts in examples)))),
        *path,
        slash_column(examples),
        *parameter_columns(examples, needed),
        tail_column(examples, needed),
    )
    return Layout(columns, len(path), optional, deep, needed)


def _segments(cells: Sequence[tuple[str | None, ...]]) -> list[Column]:
    return [_segment(index, column, last=index == len(cells) - 1) for index, column in enumerate(cells)]


def _segment(index: int, cells: tuple[str | None, ...], *, last: bool) -> Column:
    values = tuple(cell for cell in cells if cell is not None)
    gap = len(values) < len(cells)
    place = "optional" if gap else "first" if index == 0 else "last" if last else "inner"
    before, after = ("(?:/", ")?") if gap else ("/", "")
    return Column(f"segment {index + 1}", tuple(candidates(values, place)), before, after, frozenset(values))


def _fixed_ends(cells: list[tuple[str | None, ...]]) -> tuple[int, int]:
    """How many columns before and after the part of varying depth stand in every example."""
    gaps = [index for index, column in enumerate(cells) if None in column]
    before = 0
    while before < gaps[0] and len(set(cells[before])) == 1:
        before += 1
    return before, len(cells) - 1 - gaps[-1]


def _deep(middles: list[tuple[str, ...]]) -> Column:
    one = "(?:/[^/?#]*)" if any("" in middle for middle in middles) else "(?:/[^/?#]+)"
    choices = [Pattern(one + "*", (), (("deep", 1.0),), "any segments")]
    if all(middles):
        choices.append(
            Pattern(one + "+", (("segments", doubt_after(len(middles))),), (("deep, some", 1.0),), "segments")
        )
    return Column("segments", tuple(choices))
