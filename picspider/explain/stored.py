"""What the store knows of a URL already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from sqlalchemy import case, or_, select

from picspider.places import Places
from picspider.schema import KIND_NAMES, State, alias, node, picture
from picspider.urls import IdentityRules, key_of
from picspider.visit import Kind

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class Known:
    """The row of a URL: a further sighting of it is a repeat. `parent` is the row of the page it was found on, `file`
    the stored picture's.
    """

    id: int
    url: str
    layer: int
    page: int
    kind: str
    state: str
    reason: str | None
    message: str | None
    status: int | None
    attempts: int
    parent: int
    path: tuple[str, ...]
    file: str | None
    position: int
    text: str


def known(connection: Connection, url: str, rules: IdentityRules) -> Known | None:
    """The row with the identity of *url*, or whose redirect led there; None: it was never sighted."""
    # As a page and as a picture: which of them it was sighted as is not known.
    keys = {key_of(url, kind, rules) for kind in get_args(Kind)}
    moved = select(alias.c.node).where(alias.c.key.in_(keys))
    as_written = case((node.c.url == url, 0), else_=1)
    query = node.select().where(or_(node.c.key.in_(keys), node.c.id.in_(moved)))
    row = connection.execute(query.order_by(as_written, node.c.key.not_in(keys), node.c.id)).first()
    if row is None:
        return None
    return Known(
        id=row.id,
        url=row.url,
        layer=row.layer,
        page=row.page,
        kind=KIND_NAMES[row.kind],
        state=State(row.state).name,
        reason=row.reason,
        message=row.message,
        status=row.status,
        attempts=row.attempts,
        parent=row.parent,
        path=tuple(Places(connection).path_of(row.url, row.parent, row.page, row.chain)),
        file=connection.scalar(select(picture.c.file).where(picture.c.node == row.id)),
        position=row.position,
        text=row.text,
    )


def holder_of(connection: Connection, file_key: int, row: int) -> str | None:
    """The URL of the picture, other than *row*, whose file has the name with this key."""
    query = select(node.c.url).join_from(picture, node, node.c.id == picture.c.node)
    return connection.scalar(query.where(picture.c.file_key == file_key, node.c.id != row))
