from __future__ import annotations

from pathlib import Path

from picspider.commands.opening import opened
from picspider.fates import failures_by_reason, totals_by_layer, totals_of
from picspider.records import Totals
from picspider.schema import State
from tests.report.made_store import LAST_LAYER, MadeStore


def test_each_sighting_counts_once(tmp_path: Path) -> None:
    """A row has one fate; one that turned out to be a repeat is counted among the repeats alone."""
    made = MadeStore()
    page = made.row("https://a.example/", "", 0, 0)
    made.row("https://a.example/wait.jpg", "", LAST_LAYER, page, state=State.waiting.value)
    made.row("https://a.example/run.jpg", "", LAST_LAYER, page, state=State.running.value)
    for reason, count in (("http", 1), ("dns", 2)):
        for number in range(count):
            url = f"https://a.example/{reason}{number}.jpg"
            made.row(url, "", LAST_LAYER, page, state=State.error.value, reason=reason)
    made.row("https://a.example/small.jpg", "", LAST_LAYER, page, reason="too-small")
    first = made.row("https://a.example/1.jpg", "", LAST_LAYER, page)
    made.row("https://a.example/2.jpg", "", LAST_LAYER, page, reason="repeat")
    made.repeats.append(
        {
            "node": first,
            "url": "https://a.example/2.jpg",
            "parent": page,
            "layer": LAST_LAYER,
            "position": 1,
            "by": "content",
        }
    )
    with opened(made.write(tmp_path)) as view:
        layers = totals_by_layer(view.connection)
        assert layers == {0: Totals(pages=1), LAST_LAYER: Totals(0, 1, 1, 3, 1, 2)}
        assert totals_of(view.connection).sightings == len(made.nodes)
        assert failures_by_reason(view.connection) == [("dns", 2), ("http", 1)]
