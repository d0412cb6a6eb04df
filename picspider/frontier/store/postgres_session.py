"""How a worker's connections to a shared store are set while it crawls.

The tables grow from nothing, and PostgreSQL plans a prepared statement while they are still empty: it would read whole
tables ever after. What a worker asks is by key or in the order of an index. As on SQLite, no commit waits for the disk:
what a crash of the server loses is fetched again.
"""

from __future__ import annotations

from typing import Any

WHILE_CRAWLING = "SET enable_seqscan = off; SET jit = off; SET synchronous_commit = off"
AFTERWARDS = "RESET enable_seqscan; RESET jit; RESET synchronous_commit"


def crawling(raw: Any) -> None:
    """Set the driver's connection *raw* for crawling; to be committed."""
    raw.execute(WHILE_CRAWLING)


def crawled(raw: Any) -> None:
    """Set *raw* back, for those who read whole tables; to be committed."""
    raw.execute(AFTERWARDS)
