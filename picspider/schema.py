"""The tables of a crawl. The crawl is one table: `node` holds every URL, where it stands and what became of it.

`node` is the site tree of the thesis (*Mass picture downloader*, 3.1), the queue with four states of the web-robot
papers (*Web robot*; *Military-education crawler*), the exact set behind the URL-seen cache, and the frontier that
several workers share. The other tables hang on it: facts of stored pictures, of skipped ones, and repeated sightings.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
    literal_column,
)

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement

    from picspider.visit import Kind

SCHEMA_VERSION = 5

# SQLite makes only a column of the very type INTEGER an alias of the row id.
RowId = BigInteger().with_variant(Integer(), "sqlite")


class State(IntEnum):
    """The four states of a URL; the names are those of the feeds."""

    waiting = 0
    running = 1
    done = 2
    error = 3


class KindCode(IntEnum):
    """What a URL is expected to be."""

    page = 0
    picture = 1


KIND_CODES: dict[Kind, int] = {"page": KindCode.page.value, "picture": KindCode.picture.value}
KIND_NAMES: dict[int, Kind] = {code: name for name, code in KIND_CODES.items()}
# The reason of a row that is done, as it is the same as another.
REPEAT_REASON = "repeat"


def constant(code: State | KindCode) -> ColumnElement[int]:
    """*code* written into a statement: a parameter in its place would keep the partial indexes from being used."""
    return literal_column(str(code.value))


metadata = MetaData()

node = Table(
    "node",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=False),
    Column("key", BigInteger, nullable=False, unique=True, comment="64-bit fingerprint of the URL's identity"),
    Column("url", Text, nullable=False, comment="as it is fetched"),
    Column("final_url", Text, comment="where redirects ended, if they did elsewhere"),
    Column("host", String(300), nullable=False),
    Column("layer", SmallInteger, nullable=False),
    Column("page", Integer, nullable=False, comment="1, 2, 3 … along a chain of next pages"),
    Column("kind", SmallInteger, nullable=False),
    Column("parent", BigInteger, nullable=False, comment="0: an entry page"),
    Column("position", Integer, nullable=False, comment="place among the links of the parent"),
    Column("chain", BigInteger, nullable=False, comment="the first page of its run of next pages"),
    Column("rank", BigInteger, nullable=False, comment="order among rows of one priority"),
    Column("priority", BigInteger, nullable=False, comment="larger is sooner"),
    Column("state", SmallInteger, nullable=False),
    Column("attempts", Integer, nullable=False, default=0),
    Column("status", Integer),
    Column("reason", String(20)),
    Column("message", Text),
    Column("text", Text, nullable=False),
    Column("worker", String(64), comment="who runs it"),
    Column("content", BigInteger, comment="pages: fingerprint of the set of links found"),
    Column("links", Integer, comment="pages: links found for the next layer"),
    Column("stated", Integer, comment="first pages: how many pictures the page says it has"),
    Column("score", Float, comment="relevance, where a topic ranks"),
    Column(
        "run", Integer, nullable=False, comment="the run that saw it; 0: its page is read again, not yet seen there"
    ),
    Column("time", Float, comment="seconds since 1970 of its end"),
    Column("request", Text, comment="JSON of a request that is more than a GET of the URL"),
)
IS_WAITING = node.c.state == constant(State.waiting)
IS_RUNNING = node.c.state == constant(State.running)
IS_DONE = node.c.state == constant(State.done)
IS_ERROR = node.c.state == constant(State.error)
IS_PAGE = node.c.kind == constant(KindCode.page)
IS_PICTURE = node.c.kind == constant(KindCode.picture)

Index(
    "node_waiting",
    node.c.priority.desc(),
    node.c.rank,
    node.c.id,
    sqlite_where=IS_WAITING,
)
Index(
    "node_running",
    node.c.id,
    sqlite_where=IS_RUNNING,
)
Index(
    "node_error",
    node.c.id,
    sqlite_where=IS_ERROR,
)

picture = Table(
    "picture",
    metadata,
    Column("node", RowId, primary_key=True, autoincrement=False),
    Column("file", Text, nullable=False),
    Column("file_key", BigInteger, nullable=False, unique=True, comment="fingerprint of the folded file name"),
    Column("sha256", String(64), nullable=False),
    Column("sha_key", BigInteger, nullable=False, index=True, comment="first 64 bits of sha256"),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    Column("format", String(12), nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("time", Float, nullable=False),
)

skip = Table(
    "skip",
    metadata,
    Column("node", RowId, primary_key=True, autoincrement=False),
    Column("width", Integer),
    Column("height", Integer),
    Column("bytes", BigInteger),
    Column("stored", Text, comment="JSON of its row of `picture`, of one that was stored and is set aside"),
)

kept_page = Table(
    "kept_page",
    metadata,
    Column("node", RowId, primary_key=True, autoincrement=False),
    Column("file", Text, nullable=False),
    Column("text_file", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("content_type", Text, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("date", Float, nullable=False, comment="what the server says, seconds since 1970"),
    Column("title_cosine", Float, nullable=False),
    Column("body_cosine", Float, nullable=False),
)

repeat = Table(
    "repeat",
    metadata,
    Column("id", RowId, primary_key=True, autoincrement=True),
    Column("node", BigInteger, nullable=False, comment="the earlier sighting"),
    Column("url", Text, nullable=False, comment="the later sighting as it was written"),
    Column("parent", BigInteger, nullable=False, comment="the page of the later sighting"),
    Column("layer", SmallInteger, nullable=False),
    Column("page", Integer, nullable=False, default=1),
    Column("position", Integer, nullable=False),
    Column("again", SmallInteger, nullable=False, default=0, comment="1: that page linked it before"),
    Column("by", String(8), nullable=False, comment="url or content"),
    Column("later", BigInteger, nullable=False, default=0, comment="by content: the row of the later URL"),
    Column("sha256", String(64)),
    Column("text", Text, comment="by url: what the later link reads"),
    UniqueConstraint("node", "parent", "by", "later", "again", name="repeat_once"),
)

alias = Table(
    "alias",
    metadata,
    Column("key", BigInteger, primary_key=True, autoincrement=False, comment="identity of where a redirect ended"),
    Column("node", BigInteger, nullable=False, comment="the page that was read there"),
)

claim = Table(
    "claim",
    metadata,
    Column("what", String(80), primary_key=True, comment="a file name's key or a content that is being stored"),
    Column("node", BigInteger, nullable=False, index=True),
)

run = Table(
    "run",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("started", Float, nullable=False),
    Column("ended", Float),
    Column("reason", String(40)),
    Column("config", Text, comment="JSON of the config, without secrets"),
    Column("totals", Text, comment="JSON of the totals at its end"),
    Column("rows_before", BigInteger, comment="the greatest row id at its beginning"),
)

worker = Table(
    "worker",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("seen", Float, nullable=False, comment="last sign of life, seconds since 1970 by the database's clock"),
    Column("run", Integer, nullable=False),
    Column("idle", SmallInteger, nullable=False, comment="1: it found nothing left to do"),
)

host_share = Table(
    "host_share",
    metadata,
    Column("host", String(300), primary_key=True),
    Column("worker", String(64), primary_key=True),
    Column("places", Integer, nullable=False, comment="how many transfers the worker may have under way"),
    Column("held_until", Float, nullable=False, comment="nobody asks before; seconds since 1970, database's clock"),
)

meta = Table(
    "meta",
    metadata,
    Column("key", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)


def tables_for(dialect: str) -> MetaData:
    """The tables with their partial indexes, which are declared for SQLite: PostgreSQL's dialect is slow to import."""
    if dialect != "sqlite":
        for table in metadata.tables.values():
            for index in table.indexes:
                index.dialect_options[dialect]["where"] = index.dialect_options["sqlite"]["where"]
    return metadata
