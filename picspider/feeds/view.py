"""What a feed may ask of the store: a reading connection, the places of pages, and the names of layers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from picspider.kept_config import layer_names, name_of_layer, newest_config
from picspider.places import Places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sqlalchemy import Connection, Select


@dataclass(frozen=True, slots=True)
class View:
    """A finished (or stopped) crawl as the feeds see it."""

    connection: Connection
    places: Places
    layer_names: tuple[str, ...]

    @classmethod
    def of(cls, connection: Connection) -> View:
        """A view through *connection*, with the names of layers in the newest run's config."""
        return cls(connection, Places(connection), layer_names(newest_config(connection)))

    def with_places(self, query: Select[Any], parents: Callable[[Any], Iterable[int]]) -> Iterator[Any]:
        """The rows of *query*, which has `yield_per`; the places of the *parents* of each are at hand."""
        for rows in self.connection.execute(query).partitions():
            self.places.read([parent for row in rows for parent in parents(row)])
            yield from rows

    def name_of(self, layer: int) -> str:
        """The name of *layer*; the entry's is `entry`."""
        return name_of_layer(layer, self.layer_names)


def iso_time(seconds: float | None) -> str | None:
    """Seconds since 1970 as ISO 8601 in UTC."""
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat(timespec="seconds")
