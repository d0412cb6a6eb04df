"""The columns after the path: trailing slash, query parameters, and the tail (other query, fragment)."""

from dataclasses import dataclass, replace

from picspider.learn.column import Column
from picspider.learn.pattern import Pattern, escape
from picspider.learn.prices import doubt_after
from picspider.learn.segment import candidates
from picspider.learn.url_parts import Parts


@dataclass(frozen=True, slots=True)
class Required:
    """The parameters that all examples have; `exact` when they stand first, in this order, in all of them."""

    keys: tuple[str, ...] = ()
    exact: bool = True


def slash_column(examples: list[Parts]) -> Column:
    """A trailing slash, none, or either; after a file name or before a query as the examples have it."""
    seen = {parts.slash for parts in examples}
    doubt = doubt_after(len(examples))
    maybe = Pattern("/?", (), (("slash or none", 1.0),), "a slash or none")
    strict = Pattern("/", (("slash", doubt),), (), "a slash")
    if seen == {False}:
        strict = Pattern("", (("no slash", doubt),), (), "no slash")
    if len(seen) == 2:
        return Column("slash", (maybe,))
    settled = any(parts.query is not None or (parts.segments and "." in parts.segments[-1]) for parts in examples)
    return Column("slash", (replace(strict, miss=()),) if settled else (strict, maybe))


def required(examples: list[Parts]) -> Required | None:
    """The required parameters; None when a URL may go without a query."""
    if not all(parts.query for parts in examples):
        return None
    sequences = {parts.keys for parts in examples}
    if len(sequences) == 1:
        return Required(sequences.pop())
    common = [key for key in examples[0].keys if all(dict(parts.parameters).get(key) for parts in examples)]
    return Required((common[0],), exact=False) if common else None


def parameter_columns(examples: list[Parts], needed: Required | None) -> list[Column]:
    """One column per required parameter."""
    columns = []
    for index, key in enumerate(needed.keys if needed else ()):
        name = f"parameter {key}"
        if needed and needed.exact:
            found = [parts.parameters[index][1] for parts in examples]
            before = (r"\?" if index == 0 else "&") + escape(key)
        else:
            found = [dict(reversed(parts.parameters))[key] for parts in examples]
            before = rf"\?(?:(?!{escape(key)}=)[^&#]*&)*{escape(key)}"
        values = tuple(value for value in found if value is not None)
        if not values:
            columns.append(Column(name, (Pattern("", words="no value"),), before))
            continue
        gap = len(values) < len(found)
        choices = tuple(replace(c, regex=c.regex.replace("/?#", "&#")) for c in candidates(values, "parameter"))
        columns.append(Column(name, choices, before + ("(?:=" if gap else "="), ")?" if gap else "", frozenset(values)))
    return columns


def tail_column(examples: list[Parts], needed: Required | None) -> Column:
    """What may follow: other parameters or a query, a fragment, nothing."""
    fragments = {parts.fragment for parts in examples}
    doubt = doubt_after(len(examples))
    # a layer whose paths differ in length is likely to come with and without a query, too
    varied = ", varied" if len({len(parts.segments) for parts in examples}) > 1 else ""
    anything = Pattern("(?:[?#].*)?", (), (("any tail" + varied, 1.0),), "any query")
    more = Pattern("(?:[&#].*)?", (), (("more", 1.0),), "other parameters")
    nothing = Pattern("", (("no tail" + varied, doubt),), (), "nothing else")
    queries = [parts.query for parts in examples if parts.query is not None]
    if needed is not None and not needed.exact:
        return Column("tail", (more,))
    if None not in fragments and (needed is not None or not queries):
        return Column("tail", _fragments(examples))
    if fragments == {None} and (needed is not None or not queries):
        return Column("tail", (nothing, anything if needed is None else more))
    if needed is not None:
        return Column("tail", (Pattern("(?:#.*)?", (), (("fragment or none", 1.0),), "a fragment or none"), more))
    return Column("tail", (anything, *_optional_tail(doubt, queries=bool(queries), fragments=fragments != {None})))


def _optional_tail(doubt: float, *, queries: bool, fragments: bool) -> list[Pattern]:
    """A narrower tail, when some examples have a query, or a fragment, and others do not."""
    kind = (("tail kind", doubt),)
    if queries and fragments:
        return []
    if queries:
        return [Pattern(r"(?:\?[^#]*)?", kind, (("query or none", 1.0),), "a query or none")]
    return [Pattern("(?:#.*)?", kind, (("fragment or none", 1.0),), "a fragment or none")]


def _fragments(examples: list[Parts]) -> tuple[Pattern, ...]:
    values = tuple(parts.fragment or "" for parts in examples)
    found = [replace(c, regex="#" + c.regex.replace("/?#", "#")) for c in candidates(values, "parameter")]
    return (*found, Pattern("#.*", (), (("any fragment", 1.0),), "a fragment"))
