from __future__ import annotations

import io

from rich.console import Console, Group

from picspider.progress.display import plain_line, table_of
from picspider.progress.estimate import Estimate
from picspider.progress.snapshot import Rates, Snapshot
from picspider.records import Totals
from picspider.report.summary import LayerCounts

SNAPSHOT = Snapshot(
    elapsed_seconds=75,
    layers=(LayerCounts(1, "al\x1b[2Jbum", Totals(pages=4, failures=1, waiting=5)),),
    pictures_per_second=3.25,
    bytes_per_second=2_500_000,
    waits=(("a.example:443", 12.0),),
    active=7,
    left=Estimate(100, at_least=True),
    stopping=True,
)


def test_plain_line() -> None:
    """One line tells layers, rates and what is left; names of layers cannot act."""
    assert plain_line(SNAPSHOT) == (
        r"[75 s] al\x1b[2Jbum 5/10 (1 failed); 3.2 pictures/s, 2.5 MB/s, 7 under way, more than 2 min left"
    )


def test_table() -> None:
    """The live display shows found, done, repeats, failed, waiting, what hosts are waited for, and that it stops."""
    console = Console(file=io.StringIO(), width=100)
    console.print(Group(*table_of(SNAPSHOT)))
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    assert " ".join(text.splitlines()[1].split()) == r"al\x1b[2Jbum 10 4 0 1 5"
    assert "a.example:443 12 s" in text
    assert "Ctrl-C again stops at once" in text


def test_rates() -> None:
    """The first look has no rate, the next one has."""
    rates = Rates()
    assert rates.add(0, 0, 0) == (0.0, 0.0, 0.0)
    assert rates.add(10, 1000, 20)[0] > 0
