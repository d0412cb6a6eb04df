"""Every row of the crawl, for the report's tree: blocks of columns, so that a large site stays small and quick to read.

A block is a dict of lists of one length each, all blocks but the last of `ROWS_PER_BLOCK` rows. It comes as two
documents, so that the browser can leave the second alone until it is looked at: `rows` with `id` (the difference to
the row before), `parent` (0: none; of a next page the first page of its run, so that a path is a walk over parents),
`layer`, `page` and `fate`; and `words` with `url` and `text`. What only some rows have comes in groups: `…_at` in
`rows` are the places in the block they belong to, `picture_*`, `skip_*`, `note_*` (reason, message, status, attempts,
seconds since 1970; for all that did not go well) and `moved_*` (redirects) in `words` say what.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from picspider.fates import Fate, fate
from picspider.report.visible import without_password
from picspider.schema import node, picture, repeat, skip

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection

Block = dict[str, list[Any]]
ThumbnailOf = Callable[[str, str], "str | None"]
ROWS_PER_BLOCK = 4096


def node_blocks(connection: Connection, thumbnail_of: ThumbnailOf) -> Iterator[dict[str, Block]]:
    """All rows by id, as documents `rows` and `words` in turn.

    *thumbnail_of* (SHA-256, file) says where a picture's thumbnail is; None: there is none.
    """
    query = (
        select(
            node.c.id,
            node.c.url,
            node.c.text,
            node.c.parent,
            node.c.chain,
            node.c.layer,
            node.c.page,
            fate(),
            node.c.final_url,
            node.c.reason,
            node.c.message,
            node.c.status,
            node.c.attempts,
            node.c.time,
            picture.c.file,
            picture.c.width,
            picture.c.height,
            picture.c.format,
            picture.c.bytes,
            picture.c.sha256,
            skip.c.width,
            skip.c.height,
            skip.c.bytes,
        )
        .outerjoin(picture, picture.c.node == node.c.id)
        .outerjoin(skip, skip.c.node == node.c.id)
        .order_by(node.c.id)
        .execution_options(yield_per=ROWS_PER_BLOCK)
    )
    last = 0
    for rows in connection.execute(query).partitions(ROWS_PER_BLOCK):
        yield from _block(rows, last, thumbnail_of)
        last = rows[-1][0]


def _block(rows: Sequence[Any], last: int, thumbnail_of: ThumbnailOf) -> Iterator[dict[str, Block]]:
    # Whole columns at a time: this runs at the end of every crawl, over every row.
    columns = dict(zip(_SELECTED, zip(*rows, strict=True), strict=True))
    ids, fates, urls, moved = columns["id"], columns["fate"], columns["url"], columns["final_url"]
    numbers: Block = {
        "id": [row - before for row, before in zip(ids, (last, *ids), strict=False)],
        "parent": [
            chain if page > 1 and chain != row else parent
            for row, parent, chain, page in zip(ids, columns["parent"], columns["chain"], columns["page"], strict=True)
        ],
        **{name: [*columns[name]] for name in ("layer", "page", "fate")},
    }
    words: Block = {"url": [*map(without_password, urls)], "text": [*map(without_password, columns["text"])]}
    places: dict[str, list[int]] = {
        "moved": [at for at, url in enumerate(moved) if url is not None and url != urls[at]],
        "note": [at for at, of in enumerate(fates) if of in (_FAILURE, _SKIP)],
        "picture": [at for at, of in enumerate(fates) if of == _PICTURE and columns["file"][at] is not None],
        "skip": [at for at, of in enumerate(fates) if of == _SKIP],
    }
    for group, at in places.items():
        if at:
            numbers[f"{group}_at"] = at
            for name, column in _GROUPS[group].items():
                words[f"{group}_{name}"] = [columns[column][place] for place in at]
    _tidy(words, thumbnail_of)
    yield {"rows": numbers}
    yield {"words": words}


def _tidy(words: Block, thumbnail_of: ThumbnailOf) -> None:
    for name in ("moved_url", "note_message"):
        if name in words:
            words[name] = [without_password(text or "") for text in words[name]]
    if "picture_thumbnail" in words:
        words["picture_thumbnail"] = [*map(thumbnail_of, words["picture_thumbnail"], words["picture_file"])]


def repeat_blocks(connection: Connection) -> Iterator[Block]:
    """All repeats: `first` and `page` are rows of the tree (the earlier sighting; where the later one stands);
    `own`: 1 for one that is a row itself.
    """
    query = (
        select(repeat.c.node, repeat.c.parent, repeat.c.url, repeat.c.by, repeat.c.layer, repeat.c.later)
        .order_by(repeat.c.id)
        .execution_options(yield_per=ROWS_PER_BLOCK)
    )
    for rows in connection.execute(query).partitions(ROWS_PER_BLOCK):
        yield {
            "first": [row.node for row in rows],
            "page": [row.parent for row in rows],
            "url": [without_password(row.url) for row in rows],
            "by": [row.by for row in rows],
            "layer": [row.layer for row in rows],
            "own": [int(row.later != 0) for row in rows],
        }


_FAILURE, _SKIP, _PICTURE = Fate.failure.value, Fate.skip.value, Fate.picture.value
_SELECTED = (
    "id",
    "url",
    "text",
    "parent",
    "chain",
    "layer",
    "page",
    "fate",
    "final_url",
    "reason",
    "message",
    "status",
    "attempts",
    "time",
    "file",
    "width",
    "height",
    "format",
    "bytes",
    "sha256",
    "skip_width",
    "skip_height",
    "skip_bytes",
)
# group → its name in the block → the selected column
_GROUPS = {
    "moved": {"url": "final_url"},
    "note": {name: name for name in ("reason", "message", "status", "attempts", "time")},
    "picture": {**{name: name for name in ("file", "width", "height", "format", "bytes")}, "thumbnail": "sha256"},
    "skip": {"width": "skip_width", "height": "skip_height", "bytes": "skip_bytes"},
}
