from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from picspider.commands.tree import Choice, tree
from picspider.errors import StoreError
from picspider.schema import State
from tests.report.hostile import write_hostile_store
from tests.report.test_site_tree import made_site


def printed(output: Path, choice: Choice, *, terminal: bool = False) -> str:
    """What the command prints."""
    console = Console(file=io.StringIO(), force_terminal=terminal, highlight=False, soft_wrap=True)
    tree(output, choice, console=console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_lines_and_counts(tmp_path: Path) -> None:
    """A line a node, with what lies below it and why it failed."""
    lines = printed(made_site().write(tmp_path / "out"), Choice()).splitlines()
    assert lines[0] == "▤ https://a.example/  ✓ 1  ✕ 1"
    assert lines[1] == "  ▤ page 2  https://a.example/2  ✕ 1"
    assert lines[3] == "      ✕ https://a.example/2.jpg  http 404"


def test_only_errors(tmp_path: Path) -> None:
    """With --state error only the failures and the pages above them remain."""
    *lines, legend = printed(made_site().write(tmp_path / "out"), Choice(state=State.error)).splitlines()
    assert len(lines) == 4
    assert legend == "▤ page  ✓ picture  ✕ failure"


def test_repeats_by_address_are_counted(tmp_path: Path) -> None:
    """A link to what is known counts on its page and above, and the legend names its sign."""
    made = made_site()
    made.repeated(5, "https://a.example/1.jpg", 4)
    lines = printed(made.write(tmp_path / "out"), Choice()).splitlines()
    assert lines[0] == "▤ https://a.example/  ✓ 1  ✕ 1  ↺ 1"
    assert lines[2] == "    ▤ Two  https://a.example/two  ✕ 1  ↺ 1"
    assert lines[-1] == "▤ page  ✓ picture  ✕ failure  ↺ repeat"


@pytest.mark.parametrize("terminal", [True, False])
def test_site_cannot_act_on_the_terminal(tmp_path: Path, terminal: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Escape sequences of the site are printed as letters; the only ones are our colours."""
    text = printed(write_hostile_store(tmp_path / "out"), Choice(), terminal=terminal)
    assert r"\x1b]0;owned" in text
    assert "\x1b]" not in text
    assert "\x1b[2J" not in text
    assert "\u202e" not in text
    assert "secret-word" not in text


def test_no_crawl(tmp_path: Path) -> None:
    """A folder without a crawl is an error that says so."""
    with pytest.raises(StoreError, match="no crawl"):
        tree(tmp_path, Choice())
