"""The out-buffer: rows taken from the table, kept by host, so that one slow host does not hold up the others."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from picspider.records import Row


class OutBuffer:
    """Rows to fetch, in order within each host.

    `take` gives the oldest row of a host that has a free place; among several, of the one with the most free places
    (the least busy), as Scrapy's DownloaderAwarePriorityQueue does.
    """

    def __init__(self) -> None:
        self._by_host: dict[str, deque[Row]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, rows: Iterable[Row]) -> None:
        """Append *rows*, which are in order."""
        for row in rows:
            queue = self._by_host.get(row.host)
            if queue is None:
                queue = self._by_host[row.host] = deque()
            queue.append(row)
            self._count += 1

    def take(self, free_places: Callable[[str], int]) -> Row | None:
        """The next row whose host has a free place; None when every host has to wait."""
        best, most = None, 0
        for host in self._by_host:
            places = free_places(host)
            if places > most:
                best, most = host, places
        return self._pop(best) if best is not None else None

    def _pop(self, host: str) -> Row:
        queue = self._by_host[host]
        row = queue.popleft()
        if not queue:
            del self._by_host[host]
        self._count -= 1
        return row

    def hosts(self) -> list[str]:
        """Hosts that have rows here."""
        return list(self._by_host)

    def clear(self) -> list[int]:
        """Empty the buffer; returns the ids of what was in it."""
        ids = [row.id for queue in self._by_host.values() for row in queue]
        self._by_host.clear()
        self._count = 0
        return ids
