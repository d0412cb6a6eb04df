"""Where pages come in reading order: a table that is there while originals are settled."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Integer, MetaData, Table

seat = Table(
    "seat",
    MetaData(),
    Column("node", BigInteger, primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False, comment="place of a page in reading order, within its layer"),
    prefixes=["TEMPORARY"],
)
