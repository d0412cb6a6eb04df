from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from picspider.commands.export import export
from picspider.feeds import FEEDS, OF_FOCUSED
from tests.report.hostile import write_hostile_store
from tests.report.test_site_tree import made_site


@pytest.mark.parametrize("feed", sorted(FEEDS.keys() - OF_FOCUSED))
@pytest.mark.parametrize("format_name", ["csv", "jsonl"])
def test_every_feed_in_both_formats(tmp_path: Path, feed: str, format_name: str) -> None:
    """A file has as many records as the feed, even when the site is hostile."""
    output = write_hostile_store(tmp_path / "out")
    file = tmp_path / "records"
    assert export(output, format_name, feed=feed, file=file) == 0
    with file.open(encoding="utf-8", newline="") as stream:
        records = list(csv.DictReader(stream)) if format_name == "csv" else [json.loads(line) for line in stream]
    assert len(records) > 20
    assert all("url" in record for record in records)


def test_standard_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a file the records go to standard output."""
    export(made_site().write(tmp_path / "out"), "jsonl", feed="failures")
    (record,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert record["path"] == [
        "https://a.example/",
        "https://a.example/2",
        "https://a.example/two",
        "https://a.example/2.jpg",
    ]


def test_cells_are_no_formulas(tmp_path: Path) -> None:
    """A text that a spreadsheet would run is marked as text."""
    made = made_site()
    made.row("https://a.example/x", '=HYPERLINK("https://evil.example")', 1, 1)
    file = tmp_path / "tree.csv"
    export(made.write(tmp_path / "out"), "csv", feed="tree", file=file)
    with file.open(encoding="utf-8", newline="") as stream:
        assert [row["text"] for row in csv.DictReader(stream)][-1].startswith("'=")
