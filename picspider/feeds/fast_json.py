"""Scrapy's JSON exporters, with a short way for picspider's own records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.exporters import BaseItemExporter, JsonItemExporter, JsonLinesItemExporter

from picspider.feeds import FEEDS

if TYPE_CHECKING:
    from collections.abc import Iterable

RECORDS = frozenset(kind for kind, _ in FEEDS.values())


class _RecordFields(BaseItemExporter):
    """Our records hold nothing that a serializer would have to change, so their fields go out as they are."""

    def get_serialized_fields(
        self,
        item: Any,
        default_value: Any = None,
        include_empty: bool | None = None,  # noqa: FBT001 - Scrapy's signature
    ) -> Iterable[tuple[str, Any]]:
        """(name, value) pairs of *item*."""
        if self.fields_to_export is None and type(item) in RECORDS:
            return [(name, getattr(item, name)) for name in type(item).__slots__]
        return super().get_serialized_fields(item, default_value, include_empty)


class RecordJsonExporter(_RecordFields, JsonItemExporter):
    """Format `json`; the file ends with a line break, as text files do."""

    def finish_exporting(self) -> None:
        """Close the array."""
        super().finish_exporting()
        self.file.write(b"\n")


class RecordJsonLinesExporter(_RecordFields, JsonLinesItemExporter):
    """Formats `jsonlines`, `jsonl` and `jl`."""
