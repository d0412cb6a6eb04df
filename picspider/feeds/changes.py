"""The feed `changes`: what is new, recovered, changed or gone since the last run that came to its end."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from sqlalchemy import case, func, or_, select

from picspider.errors import counted
from picspider.feeds.view import iso_time
from picspider.schema import KIND_NAMES, node, picture, run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import ColumnElement, Connection

    from picspider.feeds.view import View

What = Literal["new", "recovered", "changed", "gone"]


@dataclass(slots=True)
class ChangeRecord:
    """`new` are addresses first seen since that run, whatever became of them; `recovered` are pictures that were
    known, and are stored only now; `changed` are pages with links that are new, or gone from all pages; `file` is that
    of a stored picture, which stays even if it is gone from the site.
    """

    what: What
    url: str
    kind: str
    layer: int
    parent: str | None
    path: list[str]
    file: str | None
    time: str | None


@dataclass(frozen=True, slots=True)
class Since:
    """The last run before the newest one that was not interrupted; `rows` were known when the next one began, at
    `seconds` since 1970.
    """

    run: int
    rows: int
    seconds: float


def since(connection: Connection) -> Since | None:
    """What the newest run is compared with; None while there is nothing before it."""
    newest = select(func.max(run.c.id)).scalar_subquery()
    before = select(func.max(run.c.id)).where(run.c.id < newest, run.c.reason == "finished")
    last = connection.scalar(before)
    if last is None:
        return None
    after = select(run.c.rows_before, run.c.started).where(run.c.id > last).order_by(run.c.id).limit(1)
    following = connection.execute(after).one()
    return None if following.rows_before is None else Since(last, following.rows_before, following.started)


def records(view: View) -> Iterator[ChangeRecord]:
    """Every row that is new, recovered, changed or gone, in order of discovery; none after the first run."""
    past = since(view.connection)
    if past is None:
        return
    what = _what(past)
    query = select(node, what.label("what"), picture.c.file).outerjoin(picture, picture.c.node == node.c.id)
    query = query.where(what.is_not(None)).order_by(node.c.id).execution_options(yield_per=1000)
    for row in view.connection.execute(query):
        yield ChangeRecord(
            row.what,
            row.url,
            KIND_NAMES[row.kind],
            row.layer,
            view.places.of(row.parent).url or None,
            view.places.path_of(row.url, row.parent, row.page, row.chain),
            row.file,
            iso_time(row.time),
        )


def counts(connection: Connection) -> Counter[tuple[What, str]] | None:
    """How many rows of each (what, kind); None after the first run."""
    past = since(connection)
    if past is None:
        return None
    what = _what(past)
    rows = select(what.label("what"), node.c.kind).where(what.is_not(None)).subquery()
    query = select(rows.c.what, rows.c.kind, func.count()).group_by(rows.c.what, rows.c.kind)
    return Counter({(one, KIND_NAMES[kind]): count for one, kind, count in connection.execute(query)})


def examples(connection: Connection, most: int) -> list[tuple[What, str, str]]:
    """(what, kind, URL) of the first *most* rows of each kind of change."""
    past = since(connection)
    if past is None:
        return []
    what = _what(past)
    found: list[tuple[What, str, str]] = []
    for one in get_args(What):
        query = select(node.c.kind, node.c.url).where(what == one).order_by(node.c.kind.desc(), node.c.id).limit(most)
        found += [(one, KIND_NAMES[kind], url) for kind, url in connection.execute(query)]
    return found


def in_words(found: Counter[tuple[What, str]]) -> str:
    """As in `3 new picture links, 1 changed page since the last run`: not all that is new could be had."""
    told = [
        counted(count, f"{what} picture link" if kind == "picture" and what != "recovered" else f"{what} {kind}")
        for (what, kind), count in sorted(found.items(), key=_order)
    ]
    return f"{', '.join(told) or 'nothing new on the site'} since the last run"


def _order(pair: tuple[tuple[What, str], int]) -> tuple[int, str]:
    (what, kind), _ = pair
    return get_args(What).index(what), {"picture": "0"}.get(kind, kind)


def _what(past: Since) -> ColumnElement[What]:
    child = node.alias("child")
    other_links = select(child.c.parent).where(or_(child.c.run < -past.run, child.c.id > past.rows))
    stored_since = select(picture.c.node).where(picture.c.time >= past.seconds)
    return case(
        (node.c.run < -past.run, "gone"),
        (node.c.id > past.rows, "new"),
        (node.c.id.in_(stored_since), "recovered"),
        (node.c.id.in_(other_links), "changed"),
    )
