"""The feed `pages`: every stored page of a focused crawl, with what is known of it and how it was judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from picspider.feeds.view import iso_time
from picspider.schema import kept_page, node
from picspider.urls import host_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from picspider.feeds.view import View


@dataclass(slots=True)
class PageRecord:
    """A page on the topic. `file` and `text_file` are relative to OUTPUT/pages; `date` is the server's, `time` that of
    the judgement; `length` in bytes; host and port are those of the final address (*Topic crawler*).
    """

    url: str
    final_url: str
    file: str
    text_file: str
    title: str
    host: str
    port: int
    content_type: str
    length: int
    date: str | None
    title_cosine: float
    body_cosine: float
    score: float
    layer: int
    parent: str | None
    path: list[str]
    time: str | None


def records(view: View) -> Iterator[PageRecord]:
    """Every stored page, in order of discovery."""
    query = (
        select(
            kept_page, node.c.url, node.c.final_url, node.c.score, node.c.layer, node.c.parent, node.c.page,
            node.c.chain, node.c.time,
        )
        .join_from(node, kept_page, kept_page.c.node == node.c.id)
        .order_by(node.c.id)
        .execution_options(yield_per=1000)
    )  # fmt: skip
    for row in view.connection.execute(query):
        final_url = row.final_url or row.url
        host, _, port = host_key(final_url).rpartition(":")
        yield PageRecord(
            row.url,
            final_url,
            row.file,
            row.text_file,
            row.title,
            host,
            int(port),
            row.content_type,
            row.bytes,
            iso_time(row.date),
            round(row.title_cosine, 4),
            round(row.body_cosine, 4),
            round(row.score or 0.0, 4),
            row.layer,
            view.places.of(row.parent).url or None,
            view.places.path_of(row.url, row.parent, row.page, row.chain),
            iso_time(row.time),
        )
