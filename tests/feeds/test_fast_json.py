from __future__ import annotations

import io
import json

import pytest

from picspider.feeds.fast_json import RecordJsonExporter
from picspider.feeds.skips import SkipRecord


@pytest.mark.parametrize("count", [0, 2])
def test_an_array_that_ends_with_a_line_break(count: int) -> None:
    """With and without records the file is valid JSON, and its last line is whole."""
    file = io.BytesIO()
    exporter = RecordJsonExporter(file)
    exporter.start_exporting()
    for number in range(count):
        exporter.export_item(SkipRecord(f"https://g.example/{number}", None, [], "format", None, None, None, None))
    exporter.finish_exporting()
    assert file.getvalue().endswith(b"]\n")
    assert [record["url"] for record in json.loads(file.getvalue())] == [f"https://g.example/{n}" for n in range(count)]
